package dev.clientgo.examples.website;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.rest.RESTClient;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kubectl apply -k .} and the chart install. */
@ApiServerTest(crds = "src/main/crds", server = ApiServerTest.Server.REAL)
final class ManifestsTest {

  @TempDir Path folder;

  @Test
  void kustomization_hasEachManifestButTheSample_andTheServerTakesIt(
      KubeApiServer server, RESTClient client) throws Exception {
    Manifests kustomized = Manifests.parse(run("kubectl", "kustomize", "."));
    Manifests files = Manifests.read(Path.of("src/main/crds"));
    try (Stream<Path> paths = Files.list(Path.of("config"))) {
      for (Path path : paths.filter(path -> !path.endsWith("sample.yaml")).toList()) {
        files = files.and(Manifests.read(path));
      }
    }

    assertThat(kustomized.objects()).containsExactlyInAnyOrderElementsOf(files.objects());
    try {
      assertThat(Apply.with(client, "test").force().run(kustomized).orThrow().results())
          .hasSize(files.size());
    } finally {
      server.deleteNamespace("website-system");
    }
  }

  @Test
  void chart_withItsDefaults_isTheKustomization() throws Exception {
    Manifests chart =
        Manifests.parse(
            run(
                "helm",
                "template",
                "website-operator",
                "chart",
                "--namespace=website-system",
                "--include-crds"));

    // Helm makes the namespace.
    assertThat(chart.objects())
        .containsExactlyInAnyOrderElementsOf(
            Manifests.parse(run("kubectl", "kustomize", ".")).objects().stream()
                .filter(object -> !Objects.equals(object.kind(), "Namespace"))
                .toList());
  }

  /** Returns the output of a program, which must succeed. */
  private String run(String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(find(program)));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    return output;
  }

  private static String find(String program) {
    String folders =
        Objects.requireNonNullElse(System.getenv("KUBEBUILDER_ASSETS"), "")
            + File.pathSeparator
            + System.getenv("PATH");
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(folders)
        .map(folder -> Path.of(folder, program).toAbsolutePath())
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .orElseGet(() -> abort("no " + program + " on the PATH"));
  }
}
