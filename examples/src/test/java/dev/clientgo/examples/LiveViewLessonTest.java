package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class LiveViewLessonTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private String url = "";

  private void awaitPage(RunningLesson lesson) throws Exception {
    lesson.await("The live view: http://127.0.0.1:", "/", "It shows the pods of ");
    Matcher found = Pattern.compile("http://127[^ \\n]+/").matcher(lesson.printed());
    assertThat(found.find()).isTrue();
    url = found.group();
  }

  private String get(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  private String picture() throws Exception {
    return get("picture");
  }

  private void awaitPicture(String... parts) throws Exception {
    await("picture", parts);
  }

  private void await(String path, String... parts) throws Exception {
    Poll.every(Duration.ofMillis(50))
        .atMost(WAIT)
        .until(
            () -> {
              String now = get(path);
              return Stream.of(parts).allMatch(now::contains);
            });
  }

  private void click(String command) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + command))
            .header("X-Live-View", "1")
            .POST(BodyPublishers.noBody())
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(204);
  }

  @Test
  void liveView_embedded_servesThePageAndItsScenes() throws Exception {
    try (RunningLesson lesson = RunningLesson.start("live-view", "--rate", "10")) {
      awaitPage(lesson);

      assertThat(picture())
          .contains("\"control\":true", "unseen-delete", "没人看见的删除", "\"name\":\"pods\"");
      lesson.end();
    }
  }

  @Test
  void liveView_clusterOfTheUser_isOnlyRead(@TempDir Path folder) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      Path kubeconfig = folder.resolve("config");
      server.writeKubeconfig(kubeconfig);
      isOnlyRead(kubeconfig, client);
    }
  }

  private void isOnlyRead(Path kubeconfig, RESTClient client) throws Exception {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
    Pod created = pods.create(pod("mine"));
    try (RunningLesson lesson =
        RunningLesson.start(
            "live-view", "--kubeconfig", kubeconfig.toString(), "--namespace", "default")) {
      awaitPage(lesson);
      awaitPicture("\"key\":\"default/mine\"");
      assertThat(picture())
          .contains("\"control\":true", "\"id\":\"resync\"", "\"scenes\":[]")
          .doesNotContain("\"id\":\"create\"", "\"id\":\"delete\"", "\"id\":\"cut\"");

      click("action?id=fail");
      click("action?id=restart");
      pods.create(pod("next"));
      awaitPicture("\"key\":\"default/next\"");

      assertThat(lesson.end()).contains("It shows the pods of the cluster at ");
    }
    assertThat(pods.get("mine")).isEqualTo(created);
  }

  private static Pod pod(String name) {
    return Pod.of(
        "default", name, pod -> pod.editSpec(s -> s.editContainers("web", c -> c.image("nginx"))));
  }

  @Test
  void liveView_optionsThatWouldChangeACluster_areRefused() {
    StringWriter err = new StringWriter();
    PrintWriter none = new PrintWriter(new StringWriter());

    assertThat(Main.run(new String[] {"live-view", "-n", "x"}, none, new PrintWriter(err, true)))
        .isOne();
    assertThat(err.toString()).contains("--namespace goes with --kubeconfig or --context");
  }
}
