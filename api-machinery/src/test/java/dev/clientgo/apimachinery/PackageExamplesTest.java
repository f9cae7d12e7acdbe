package dev.clientgo.apimachinery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each package has a page that teaches it, and each example of the page stands, line by line, in
 * the {@code ExampleTest} of the package, where it is compiled and run.
 */
final class PackageExamplesTest {

  private static final Path MAIN = Path.of("src/main/java/dev/clientgo/apimachinery");
  private static final Path TEST = Path.of("src/test/java/dev/clientgo/apimachinery");
  private static final Pattern EXAMPLE =
      Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);

  static Stream<String> packages() throws IOException {
    try (Stream<Path> folders = Files.list(MAIN)) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("packages")
  void package_hasAPageWithAnExample(String name) throws IOException {
    assertThat(MAIN.resolve(name).resolve("package-info.java")).isRegularFile();
    assertThat(examples(name)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void example_isCompiled(String name) throws IOException {
    List<String> compiled = lines(Files.readString(TEST.resolve(name).resolve("ExampleTest.java")));
    for (List<String> example : examples(name)) {
      assertThat(compiled).as("ExampleTest of %s", name).containsSubsequence(example);
    }
  }

  private static List<List<String>> examples(String name) throws IOException {
    String page = Files.readString(MAIN.resolve(name).resolve("package-info.java"), UTF_8);
    List<List<String>> examples = new ArrayList<>();
    for (Matcher matcher = EXAMPLE.matcher(page); matcher.find(); ) {
      examples.add(lines(matcher.group(1).replaceAll("(?m)^ \\*", "")));
    }
    return examples;
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
