package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The metadata for native images has each file and class that a module loads by its name. */
final class NativeImageTest {

  private static final Pattern PUBLISHED =
      Pattern.compile("(?!benchmarks|conformance|examples|samples)([a-z-]+)/src/main/(.*)");

  private static final Pattern CLASS = Pattern.compile("Class\\.forName\\(\\s*\"([^\"]+)\"");
  private static final Pattern GLOB = Pattern.compile("\"glob\": \"([^\"]+)\"");

  @Test
  void filesOfModules_areInTheirMetadata() throws IOException {
    List<String> missing =
        ProjectFiles.find(ProjectFiles.ROOT, ".css", ".html", ".js", ".json", ".txt").stream()
            .map(NativeImageTest::name)
            .filter(name -> name.contains("/src/main/resources/") && !name.contains("/META-INF/"))
            .filter(name -> PUBLISHED.matcher(name).matches() && !isInAGlob(name))
            .toList();

    assertThat(missing).isEmpty();
  }

  @Test
  void classesThatAreLoadedByName_areInTheMetadataOfTheirModule() throws IOException {
    int found = 0;
    for (Path source : ProjectFiles.find(ProjectFiles.ROOT, ".java")) {
      if (PUBLISHED.matcher(name(source)).matches()) {
        for (MatchResult load : CLASS.matcher(Files.readString(source)).results().toList()) {
          assertThat(metadataOf(name(source))).as(name(source)).contains(load.group(1));
          found++;
        }
      }
    }

    assertThat(found).isPositive();
  }

  private static String name(Path file) {
    return ProjectFiles.ROOT.relativize(file).toString().replace('\\', '/');
  }

  private static String metadataOf(String name) {
    String module = name.substring(0, name.indexOf('/'));
    Path file =
        ProjectFiles.ROOT.resolve(
            module
                + "/src/main/resources/META-INF/native-image/dev.clientgo/"
                + module
                + "/reachability-metadata.json");
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isInAGlob(String name) {
    Path resource = Path.of(name.substring(name.indexOf("/resources/") + "/resources/".length()));
    return GLOB.matcher(metadataOf(name))
        .results()
        .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob.group(1)))
        .anyMatch(glob -> glob.matches(resource));
  }
}
