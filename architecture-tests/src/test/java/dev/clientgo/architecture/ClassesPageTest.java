package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/classes.md} has each exported class with its module. {@code -Dapi.update=true} writes
 * its table again, after the {@code api.txt} files.
 */
final class ClassesPageTest {

  private static final Path PAGE = ProjectFiles.ROOT.resolve("docs/classes.md");

  private static final String HEAD = "| class | package | module |\n|---|---|---|\n";

  private static final Pattern TOP_LEVEL =
      Pattern.compile("(?m)^(?:\\w+ )*@?(?:class|interface|record|enum) ([a-z0-9.]+)\\.(\\w+)");

  /** Thousands of classes, which the page has a rule for. */
  private static final Pattern GENERATED =
      Pattern.compile("dev\\.clientgo\\.kubernetes\\.(alpha\\.)?\\w+\\.v\\d\\w*");

  private record Row(String type, String packageName, String module) {
    @Override
    public String toString() {
      return "| `%s` | `%s` | `%s` |".formatted(type, packageName, module);
    }
  }

  @Test
  void page_namesEachExportedClass() throws IOException {
    String table = HEAD + String.join("\n", rows().map(Row::toString).toList()) + "\n";
    String page = Files.readString(PAGE);
    if (Boolean.getBoolean("api.update")) {
      page = page.substring(0, page.indexOf(HEAD)) + table;
      Files.writeString(PAGE, page);
    }

    assertThat(page)
        .as("run this test with -Dapi.update=true, and commit the page")
        .endsWith(table);
  }

  @Test
  void generatedClasses_followTheRuleOfThePage() throws IOException {
    List<String> packages =
        types(ProjectFiles.ROOT.resolve("kubernetes/api.txt"))
            .map(Row::packageName)
            .filter(GENERATED.asMatchPredicate())
            .distinct()
            .toList();

    assertThat(packages)
        .contains(
            "dev.clientgo.kubernetes.core.v1",
            "dev.clientgo.kubernetes.apps.v1",
            "dev.clientgo.kubernetes.networking.v1");
  }

  private static Stream<Row> rows() throws IOException {
    List<Path> snapshots = ProjectFiles.find(ProjectFiles.ROOT, "api.txt");
    assertThat(snapshots).hasSizeGreaterThan(15);
    return snapshots.stream()
        .flatMap(ClassesPageTest::types)
        .filter(row -> !GENERATED.matcher(row.packageName).matches())
        .distinct()
        .sorted(
            Comparator.comparing(Row::type, String.CASE_INSENSITIVE_ORDER)
                .thenComparing(Row::packageName));
  }

  private static Stream<Row> types(Path snapshot) {
    String module = snapshot.getParent().getFileName().toString();
    try {
      return TOP_LEVEL
          .matcher(Files.readString(snapshot))
          .results()
          .map(match -> new Row(match.group(2), match.group(1), module));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
