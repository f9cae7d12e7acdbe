package dev.clientgo.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The projects of {@code docs/getting-started.md}, made in an empty folder and built. */
final class GettingStartedTest {

  private static final Page PAGE = Page.read("docs/getting-started.md");
  private static final String TEST = "src/test/java/FollowPodsTest.java";

  @TempDir private Path folder;

  @Test
  void mavenProject_runsItsTestAndItsProgram() throws Exception {
    Path project = Files.createDirectory(folder.resolve("project"));
    write(project, "pom.xml", PAGE.file("pom.xml"));
    write(project, TEST, PAGE.file(TEST));
    write(project, "src/main/java/FollowPods.java", Page.read("README.md").first("java"));
    try (LocalRepository repository =
            LocalRepository.create(Files.createDirectory(folder.resolve("repository")));
        EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      client.resource(Pod.TYPE).inNamespace("default").create(pod());
      server.writeKubeconfig(folder.resolve("kubeconfig"));

      // The goals of "mvn test exec:java" whose plugins this build has, too.
      Process maven =
          maven(
              repository,
              project,
              "compiler:compile",
              "compiler:testCompile",
              "surefire:test",
              "exec:java");

      try {
        assertPrints(
            maven,
            "Tests run: 1, Failures: 0, Errors: 0, Skipped: 0",
            "1 of the pods in the cache are web servers");
      } finally {
        maven.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void chinesePage_hasTheSameTest() {
    assertThat(Page.read("docs/getting-started.zh.md").first("java")).isEqualTo(PAGE.first("java"));
  }

  private static Pod pod() {
    return Pod.of(
        "default",
        "web-1",
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", "web")))
                .editSpec(spec -> spec.editContainers("web", c -> c.image("nginx"))));
  }

  private static void write(Path project, String name, String text) throws IOException {
    Path file = project.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Process maven(LocalRepository repository, Path project, String... goals) {
    ProcessBuilder maven =
        new ProcessBuilder(
                "mvn", "--batch-mode", "--offline", "-Dmaven.repo.local=" + repository.folder())
            .directory(project.toFile())
            .redirectErrorStream(true);
    maven.command().addAll(List.of(goals));
    maven.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
    maven.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    try {
      return maven.start();
    } catch (IOException e) {
      return abort("Maven is not on the path: " + e.getMessage());
    }
  }

  /** Reads until a process has printed all of this, in any order, or has ended. */
  private static void assertPrints(Process process, String... parts) throws IOException {
    StringBuilder printed = new StringBuilder();
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        printed.append(line).append('\n');
        if (List.of(parts).stream().allMatch(part -> printed.indexOf(part) >= 0)) {
          return;
        }
      }
    }
    assertThat(printed.toString()).contains(parts);
  }
}
