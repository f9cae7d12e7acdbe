package dev.clientgo.simulation.bugs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bugs of this package are found by what the simulation knows, not by what a test says. */
final class NoSpecificationTest {

  private static final Path SOURCES = Path.of("src/test/java/dev/clientgo/simulation/bugs");

  private static final Pattern SPECIFICATION = Pattern.compile("\\.(atRest|always)\\(");

  private static final Pattern REPORT =
      Pattern.compile("https://github\\.com/[^/\\s]+/[^/\\s]+/(issues|pull)/[0-9]+");

  private static List<String> sources() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.map(NoSpecificationTest::read).toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void noSimulation_hasASpecification() throws IOException {
    assertThat(sources())
        .hasSizeGreaterThan(20)
        .noneMatch(source -> SPECIFICATION.matcher(source).find());
  }

  @Test
  void enoughBugs_areOfPublicTrackers() throws IOException {
    long reports =
        sources().stream()
            .flatMap(source -> REPORT.matcher(source).results().map(MatchResult::group))
            .distinct()
            .count();

    assertThat(reports).isGreaterThanOrEqualTo(25);
    assertThat(AllBugs.all().filter(bug -> !bug.plan().isEmpty())).hasSizeGreaterThanOrEqualTo(25);
  }
}
