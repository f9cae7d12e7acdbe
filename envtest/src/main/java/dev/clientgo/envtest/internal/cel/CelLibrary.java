package dev.clientgo.envtest.internal.cel;

import org.jspecify.annotations.Nullable;

/** Finds cel-java, which is optional. */
public final class CelLibrary {

  /** The compiler, or null if cel-java is not on the class path. */
  public static final @Nullable CelCompiler COMPILER = find();

  private CelLibrary() {}

  private static @Nullable CelCompiler find() {
    try {
      Class<?> library = Class.forName("dev.cel.bundle.CelFactory");
      CelLibrary.class.getModule().addReads(library.getModule());
      return new CelJava();
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }
}
