package dev.clientgo.crd.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.crd.CustomResourceDefinitions;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
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
    String text;
    try (URLClassLoader loader = new URLClassLoader(urls(), Generate.class.getClassLoader())) {
      List<Class<?>> found = new ArrayList<>();
      for (String type : types) {
        found.add(load(loader, type));
      }
      text = CustomResourceDefinitions.toYaml(CustomResourceDefinitions.of(found));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the class path: " + e.getMessage(), e);
    }
    Path file = check;
    if (file == null) {
      PrintWriter out = line.getOut();
      out.print(text);
      out.flush();
    } else if (!read(file).equals(text)) {
      line.getErr().println("error: " + file + " is not what the records give; generate it again");
      return CommandLine.ExitCode.SOFTWARE;
    }
    return CommandLine.ExitCode.OK;
  }

  private URL[] urls() {
    List<URL> urls = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (entry.isEmpty()) {
        continue;
      }
      Path path = Path.of(entry);
      if (!Files.exists(path)) {
        throw new IllegalArgumentException("there is no file or folder " + path);
      }
      try {
        urls.add(path.toUri().toURL());
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
}
