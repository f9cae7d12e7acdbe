package dev.clientgo.crd.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.crd.CustomResourceDefinitions;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the definitions of records. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the definitions of custom resources that records have by their annotations.",
      "",
      "TYPE is the name of a compiled record, such as com.example.Website. Records of the same group"
          + " and kind are versions of one definition.%n"
    },
    footer = {
      "",
      "Example:",
      "  java -jar crd-gen-cli.jar generate --classpath target/classes com.example.Website >"
          + " crds.yaml",
      "",
      "Exit codes: 0 done; 1 --check found another text; 2 wrong usage, or a record without a"
          + " schema."
    })
final class Generate implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--classpath",
      paramLabel = "PATH",
      description = "Folders and jars with the records and all that they use.")
  private String classpath = "";

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description = "Prints nothing, and fails if the file does not have the text.")
  private @Nullable Path check;

  @Parameters(paramLabel = "TYPE", arity = "1..*", description = "The records.")
  private List<String> types = List.of();

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    String text = definitions();
    Path file = check;
    if (file == null) {
      print(line, text);
    } else if (!read(file).replace("\r\n", "\n").equals(text)) {
      line.getErr().println("error: " + file + " is not what the records give; generate it again");
      return CommandLine.ExitCode.SOFTWARE;
    }
    return CommandLine.ExitCode.OK;
  }

  /**
   * Makes the definitions in a class loader that has the user's classes first, then those of this
   * program: the records may use jars, such as databind, through classes that both have.
   */
  private String definitions() {
    String all = classpath + File.pathSeparator + System.getProperty("java.class.path", "");
    try (URLClassLoader loader =
        new URLClassLoader(urls(all), ClassLoader.getPlatformClassLoader())) {
      List<Class<?>> found = new ArrayList<>();
      for (String type : types) {
        found.add(load(loader, type));
      }
      Class<?> library = load(loader, CustomResourceDefinitions.class.getName());
      Object definitions = library.getMethod("of", List.class).invoke(null, found);
      return (String) library.getMethod("toYaml", List.class).invoke(null, definitions);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the class path: " + e.getMessage(), e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException known) {
        throw known;
      } else if (e.getCause() instanceof LinkageError
          || e.getCause() instanceof TypeNotPresentException) {
        throw new IllegalArgumentException("the class path lacks a class: " + e.getCause(), e);
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private URL[] urls(String all) {
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty() && !Files.exists(Path.of(entry))) {
        throw new IllegalArgumentException("there is no file or folder " + entry);
      }
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : all.split(File.pathSeparator, -1)) {
      try {
        if (!entry.isEmpty()) {
          urls.add(Path.of(entry).toUri().toURL());
        }
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return urls.toArray(URL[]::new);
  }

  private static Class<?> load(ClassLoader loader, String type) {
    try {
      return Class.forName(type, false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "there is no class " + type + " on the class path; a nested one is written Outer$Inner",
          e);
    } catch (LinkageError e) {
      throw new IllegalArgumentException(
          "cannot load " + type + ": " + e + "; the class path must have all that it uses", e);
    }
  }

  /** Reads a file as text. */
  static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e, e);
    }
  }

  /** Prints a text to the end. A {@code PrintWriter} alone would hide that a disk is full. */
  static void print(CommandLine command, String text) {
    command.getOut().print(text);
    if (command.getOut().checkError()) {
      throw new UncheckedIOException("cannot write the output", new IOException());
    }
  }
}
