package dev.clientgo.examples.website;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Dockerfile names what the build makes, though no image is built here. */
final class DockerfileTest {

  private static final Pattern COPY = Pattern.compile("(?m)^COPY (?!--from)(\\S+) (\\S+)$");

  @Test
  void copies_areThingsThatTheBuildMakes() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    List<String> sources =
        COPY.matcher(Files.readString(Path.of("Dockerfile")))
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();

    assertThat(sources).containsExactly("target/lib", "target/website-operator.jar");
    assertThat(pom)
        .contains("<outputDirectory>${project.build.directory}/lib</outputDirectory>")
        .contains("<finalName>website-operator</finalName>");
  }

  @Test
  void entryPoint_isTheMainClass() throws Exception {
    assertThat(Files.readString(Path.of("Dockerfile"))).contains('"' + Main.class.getName() + '"');
    assertThat(Files.readString(Path.of("pom.xml"))).contains(">" + Main.class.getName() + "<");
  }
}
