package dev.clientgo.gen.maven;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.gen.Generation;
import dev.clientgo.gen.Generator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** A hash of everything that the output depends on: the settings, all input, and the generator. */
final class Fingerprint {

  private static final String FILE = ".informers-gen.fingerprint";

  private final String text;

  private Fingerprint(String text) {
    this.text = text;
  }

  /** Returns the fingerprint of a run. */
  static Fingerprint of(String settings, List<Path> inputs) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, settings);
      add(digest, generator());
      for (Path input : inputs) {
        for (Path file : files(input)) {
          add(digest, file.toString());
          digest.update(Files.readAllBytes(file));
        }
      }
      return new Fingerprint(HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("cannot read the input: " + e.getMessage(), e);
    }
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(UTF_8));
    digest.update((byte) 0);
  }

  private static List<Path> files(Path input) throws IOException {
    if (Files.isRegularFile(input)) {
      return List.of(input);
    }
    try (Stream<Path> tree = Files.walk(input, FileVisitOption.FOLLOW_LINKS)) {
      return tree.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Returns the size and the time of the generator's jar, or of each of its classes. */
  private static String generator() throws IOException, URISyntaxException {
    CodeSource source = Generator.class.getProtectionDomain().getCodeSource();
    StringBuilder state = new StringBuilder();
    if (source != null) {
      for (Path file : files(Path.of(source.getLocation().toURI()))) {
        state.append(file).append(Files.size(file)).append(Files.getLastModifiedTime(file));
      }
    }
    return state.toString();
  }

  /** Returns whether a folder has all files of a run with this fingerprint. */
  boolean isOf(Path folder) {
    try {
      Path file = folder.resolve(FILE);
      return Files.isRegularFile(file)
          && Files.readString(file, UTF_8).strip().equals(text)
          && Generation.writtenTo(folder).stream().allMatch(Files::isRegularFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the fingerprint from a folder, before another run begins to write there. */
  static void removeFrom(Path folder) {
    try {
      Files.deleteIfExists(folder.resolve(FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Records in a folder that a run with this fingerprint has written it. */
  void writeTo(Path folder) {
    try {
      Files.writeString(folder.resolve(FILE), text + "\n", UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
