package dev.clientgo.gen.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path that generated code is compiled against: that of this program, and the module
 * {@code kubernetes}, if its jar lies beside that of this program or where the project's build puts
 * it.
 */
public final class CompilePath {

  private static final String KUBERNETES_JAR =
      "kubernetes-\\d[^/]*(?<!-sources|-javadoc|-tests)\\.jar";
  private static final String KUBERNETES_CLASS = "/dev/clientgo/kubernetes/core/v1/PodSpec.class";

  private final List<Path> own;

  private CompilePath(List<Path> own) {
    this.own = own;
  }

  /** Returns the class path of this program. */
  static CompilePath ofThisProgram() {
    return of(System.getProperty("java.class.path"));
  }

  public static CompilePath of(String classPath) {
    return new CompilePath(
        Arrays.stream(classPath.split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> Path.of(entry).toAbsolutePath().normalize())
            .filter(Files::exists)
            .toList());
  }

  /** Returns whether generated code can use the built-in types. */
  public boolean hasKubernetes() {
    return CompilePath.class.getResource(KUBERNETES_CLASS) != null || kubernetesJar().isPresent();
  }

  private Optional<Path> kubernetesJar() {
    for (Path entry : own) {
      Path folder = entry.getParent();
      if (folder == null || !Files.isRegularFile(entry)) {
        continue;
      }
      for (Path place : List.of(folder, folder.resolve("../../kubernetes/target").normalize())) {
        Optional<Path> jar = kubernetesJarIn(place);
        if (jar.isPresent()) {
          return jar;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> kubernetesJarIn(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(KUBERNETES_JAR))
          .max(java.util.Comparator.naturalOrder());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Returns the path in the form of javac's option {@code -cp}. */
  @Override
  public String toString() {
    Set<Path> entries = new LinkedHashSet<>(own);
    kubernetesJar().ifPresent(entries::add);
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
