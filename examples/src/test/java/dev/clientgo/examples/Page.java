package dev.clientgo.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A page of the project with its blocks of code. */
public record Page(Path path, List<Block> blocks) {

  /**
   * A block of code.
   *
   * @param file the file that the line above the block names, or empty
   */
  public record Block(String file, String language, String text) {

    private static final Pattern FENCED =
        Pattern.compile(
            "(?:^`([^`\n]+)`:\n\n)?^```(\\w+)\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

    private static Block of(MatchResult match) {
      return new Block(
          match.group(1) == null ? "" : match.group(1), match.group(2), match.group(3));
    }
  }

  /** Reads a page, whose path begins at the root of the project. */
  public static Page read(String path) {
    Path file = Path.of("..").resolve(path);
    try {
      return new Page(
          file, Block.FENCED.matcher(Files.readString(file)).results().map(Block::of).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the blocks in a language. */
  public List<String> all(String language) {
    return blocks.stream()
        .filter(block -> block.language.equals(language))
        .map(Block::text)
        .toList();
  }

  /** Returns the first block in a language. */
  String first(String language) {
    return all(language).stream()
        .findFirst()
        .orElseThrow(() -> new AssertionError(path + " has no block in " + language));
  }

  /** Returns the block for a file. */
  String file(String name) {
    return blocks.stream()
        .filter(block -> block.file.equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(path + " has no block for " + name))
        .text;
  }
}
