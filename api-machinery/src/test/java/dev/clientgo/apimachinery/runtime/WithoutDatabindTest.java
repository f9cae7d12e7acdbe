package dev.clientgo.apimachinery.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The errors of a program without {@code jackson-databind}, which is optional. */
final class WithoutDatabindTest {

  /** Loads this library and this test again, on a class path without databind. */
  private static final class WithoutDatabind extends URLClassLoader {

    WithoutDatabind() {
      super(new URL[] {home(Unstructured.class), home(WithoutDatabindTest.class)}, parent());
    }

    private static URL home(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static ClassLoader parent() {
      return WithoutDatabindTest.class.getClassLoader();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("tools.jackson.databind.") || name.startsWith("com.fasterxml.jackson.")) {
        throw new ClassNotFoundException(name);
      }
      if (name.startsWith("dev.clientgo.")) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  private static String run(Class<?> program) throws Exception {
    try (WithoutDatabind library = new WithoutDatabind()) {
      var constructor = library.loadClass(program.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (String) ((Supplier<?>) constructor.newInstance()).get();
    }
  }

  private static final class ReadsAndWrites implements Supplier<String> {
    @Override
    public String get() {
      return Unstructured.parse("{\"kind\":\"Ship\"}").with(3, "spec", "masts").toJson();
    }
  }

  @Test
  void unstructured_readAndWritten_needsNone() throws Exception {
    assertThat(run(ReadsAndWrites.class)).isEqualTo("{\"kind\":\"Ship\",\"spec\":{\"masts\":3}}");
  }

  private static final class TakesTree implements Supplier<String> {
    @Override
    public String get() {
      try {
        return Unstructured.parse("{}").toJackson().toString();
      } catch (ConfigException e) {
        return e.getMessage();
      }
    }
  }

  @Test
  void toJackson_saysWhatToAdd() throws Exception {
    assertThat(run(TakesTree.class))
        .isEqualTo(
            "a tree of Jackson needs databind, which is missing: add"
                + " tools.jackson.core:jackson-databind to the class path");
  }

  private static final class BindsTwice implements Supplier<String> {
    private String bind() {
      try {
        DatabindCodec.of(String.class);
        return "bound";
      } catch (ConfigException e) {
        return e.getMessage();
      }
    }

    @Override
    public String get() {
      return bind() + "; " + bind();
    }
  }

  @Test
  void databindCodec_eachTime_saysWhatToAdd() throws Exception {
    String message =
        "java.lang.String needs databind, which is missing: add"
            + " tools.jackson.core:jackson-databind to the class path";
    assertThat(run(BindsTwice.class)).isEqualTo(message + "; " + message);
  }

  private static final class Registers implements Supplier<String> {
    @Override
    public String get() {
      try {
        Scheme.builder().add(new GroupVersion("", "v1"), String.class);
        return "added";
      } catch (ConfigException e) {
        return e.getMessage();
      }
    }
  }

  @Test
  void scheme_handWrittenType_saysWhatToAdd() throws Exception {
    assertThat(run(Registers.class)).startsWith("java.lang.String needs databind");
  }
}
