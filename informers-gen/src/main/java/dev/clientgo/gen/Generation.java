package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The Java files that a run of the generator made, in memory. Immutable. */
public final class Generation {

  /** Lists what an earlier run wrote, so that files that are no longer made are removed. */
  static final String MANIFEST = ".informers-gen";

  private final SortedMap<String, String> files;
  private final Report report;

  Generation(Map<String, String> files, Report report) {
    this.files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    this.report = report;
  }

  /** Returns the text of each file by its path, sorted; the paths are relative, with slashes. */
  public SortedMap<String, String> files() {
    return files;
  }

  /** Returns what was done and what could not be done. */
  public Report report() {
    return report;
  }

  /**
   * Returns the files that the last run wrote into a folder, whether or not they are still there.
   *
   * @throws UncheckedIOException if the list of them cannot be read
   */
  public static List<Path> writtenTo(Path folder) {
    Path manifest = folder.resolve(MANIFEST);
    try {
      return Files.exists(manifest)
          ? Files.readAllLines(manifest, UTF_8).stream().map(folder::resolve).toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + manifest + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes the files into a folder. A file that has the right content already is not touched, and
   * files that an earlier run wrote there and that are no longer made are deleted.
   *
   * @throws UncheckedIOException if a file cannot be written, or is there and was not generated; in
   *     the latter case no file is written or deleted
   */
  public void writeTo(Path folder) {
    try {
      Files.createDirectories(folder);
      Path manifest = folder.resolve(MANIFEST);
      List<String> before =
          Files.exists(manifest) ? Files.readAllLines(manifest, UTF_8) : List.of();
      for (String path : files.keySet()) {
        if (!before.contains(path)) {
          refuseForeign(folder.resolve(path), files.get(path));
        }
      }
      for (String path : before) {
        deleteStale(folder, path);
      }
      // First, so that the next run knows the files of one that fails or is killed.
      write(manifest, String.join("\n", List.copyOf(files.keySet())) + "\n");
      for (Map.Entry<String, String> file : files.entrySet()) {
        write(folder.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Refuses to overwrite a file that no run has written: a user's, or that of another tool. */
  private static void refuseForeign(Path file, String text) throws IOException {
    if (Files.isRegularFile(file)) {
      String found = Files.readString(file, UTF_8);
      if (!found.equals(text) && !found.contains("@Generated(\"dev.clientgo.gen\")")) {
        throw new IOException(
            file + " exists and was not generated; use another folder or package");
      }
    }
  }

  private void deleteStale(Path folder, String path) throws IOException {
    Path file = folder.resolve(path).normalize();
    // The manifest may have been edited: nothing outside the folder is ever deleted.
    if (!files.containsKey(path) && file.startsWith(folder.normalize()) && path.endsWith(".java")) {
      Files.deleteIfExists(file);
    }
  }

  private static void write(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    if (Files.isRegularFile(file) && java.util.Arrays.equals(Files.readAllBytes(file), bytes)) {
      return;
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, bytes);
  }
}
