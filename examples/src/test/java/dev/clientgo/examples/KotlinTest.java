package dev.clientgo.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.envtest.EmbeddedApiServer;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in Kotlin of {@code docs/getting-started.md}, which the build compiles. */
final class KotlinTest {

  private static final Page PAGE = Page.read("docs/getting-started.md");

  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");

  @TempDir private Path folder;

  @Test
  void page_showsTheCompiledPrograms() throws Exception {
    List<String> compiled =
        List.of(
            Files.readString(Path.of("src/test/kotlin/FollowPods.kt")),
            Files.readString(Path.of("src/test/kotlin/Coroutines.kt")));

    assertThat(PAGE.blocks())
        .filteredOn(block -> block.language().equals("kotlin") && !block.file().endsWith(".kts"))
        .extracting(Page.Block::text)
        .isEqualTo(compiled);
  }

  @Test
  void page_namesTheCompilerOfTheBuild() throws Exception {
    String version = "<version>2.4.21</version>";

    assertThat(PAGE.all("xml").get(1)).contains(version);
    assertThat(Files.readString(Path.of("pom.xml"))).contains(version);
  }

  @Test
  void program_followsPods() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.writeKubeconfig(folder.resolve("kubeconfig"));
      ProcessBuilder java =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  "FollowPodsKt")
              .redirectErrorStream(true);
      java.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
      Process program = java.start();
      try (BufferedReader lines = program.inputReader(UTF_8)) {
        assertThat(lines.readLine()).isEqualTo("0 web servers run");
        assertThat(lines.readLine()).isEqualTo("added web-2");
        server.objects(PODS).delete("default", "web-2");
        assertThat(lines.readLine()).isEqualTo("deleted default/web-2");
      } finally {
        program.destroyForcibly().waitFor();
      }
    }
  }
}
