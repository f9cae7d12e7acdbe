package dev.clientgo.examples.guide;

import dev.clientgo.examples.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The examples with other lines in one of their sources. */
final class ChangedProgram {

  private final Path classes;

  /** Compiles a source with the changes of a diff; the classes go to the folder. */
  ChangedProgram(Path source, List<List<String>> hunks, Path folder) throws IOException {
    String text = Files.readString(source);
    for (List<String> hunk : hunks) {
      String before = side(hunk, '+');
      int at = text.indexOf(before);
      if (at < 0 || text.indexOf(before, at + 1) >= 0) {
        throw new AssertionError(source + " must have these lines once:\n" + before);
      }
      text = text.replace(before, side(hunk, '-'));
    }
    classes = folder.resolve("classes");
    Files.createDirectories(classes);
    compile(Files.writeString(folder.resolve(source.getFileName()), text));
  }

  /** Returns the lines of a hunk without those that the other side alone has. */
  private static String side(List<String> hunk, char other) {
    StringBuilder text = new StringBuilder();
    for (String line : hunk) {
      if (line.isEmpty() || line.charAt(0) != other) {
        text.append(line.isEmpty() ? "" : line.substring(1)).append('\n');
      }
    }
    return text.toString();
  }

  private void compile(Path source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiles =
          compiler
              .getTask(
                  null,
                  files,
                  problems,
                  List.of("-proc:none", "-d", classes.toString()),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      if (!compiles) {
        throw new AssertionError(source + " does not compile: " + problems.getDiagnostics());
      }
    }
  }

  /** Runs a lesson, and returns what it prints. */
  String run(String... arguments) throws IOException, ReflectiveOperationException {
    try (ChangedClasses loader = new ChangedClasses(classes)) {
      return run(loader.loadClass(Main.class.getName()), arguments);
    }
  }

  /** Runs a lesson as it is, and returns what it prints. */
  static String runUnchanged(String... arguments) throws ReflectiveOperationException {
    return run(Main.class, arguments);
  }

  private static String run(Class<?> main, String... arguments)
      throws ReflectiveOperationException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Method run =
        main.getDeclaredMethod("run", String[].class, PrintWriter.class, PrintWriter.class);
    run.setAccessible(true);
    Object status =
        run.invoke(null, arguments, new PrintWriter(out, true), new PrintWriter(err, true));
    if (!status.equals(0)) {
      throw new AssertionError(String.join(" ", arguments) + " failed: " + err + "\n" + out);
    }
    return out.toString();
  }

  /** Loads all classes of the examples again, the changed ones from the folder. */
  private static final class ChangedClasses extends URLClassLoader {

    ChangedClasses(Path classes) throws MalformedURLException {
      super(
          new URL[] {
            classes.toUri().toURL(), Main.class.getProtectionDomain().getCodeSource().getLocation()
          },
          Main.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith("dev.clientgo.examples.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }
}
