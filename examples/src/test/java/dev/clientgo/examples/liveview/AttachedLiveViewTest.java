package dev.clientgo.examples.liveview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The program of {@code docs/live-view.md}: a view attached to a separate program. */
final class AttachedLiveViewTest {

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void view_attached_showsTheProgramAndCannotControlIt() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Pod> pods = client.resource(Pod.TYPE);
      pods.create(
          Pod.of(
              "default",
              "web",
              pod -> pod.editSpec(s -> s.editContainers("web", c -> c.image("nginx")))));

      LiveView view = LiveView.start();
      SharedIndexInformer<Pod> informer =
          SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
              .name("pods")
              .observer(view.informer(Pod.TYPE))
              .build();
      RateLimitingQueue<String> queue =
          RateLimitingQueue.create(
              RateLimiter.defaultController(),
              QueueConfig.builder().observer(view.queue("pods")).build());
      System.out.println("See " + view.url());

      try (view;
          informer;
          queue) {
        informer.addEventHandler(
            handler -> handler.onAdd(pod -> queue.add(ObjectName.of(pod).toString())));
        informer.start();
        informer.awaitSynced(Duration.ofSeconds(30));
        assertThat(queue.get(Duration.ofSeconds(30))).isPresent();

        assertThat(picture(view)).contains("\"key\":\"default/web\"", "\"state\":\"");
        assertThat(command(view, "pause?stage=pop")).isEqualTo(403);
      }
    }
  }

  private String picture(LiveView view) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(view.url().resolve("picture")).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  private int command(LiveView view, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(view.url().resolve(path))
            .header("X-Live-View", "1")
            .POST(BodyPublishers.noBody())
            .build();
    return http.send(request, BodyHandlers.ofString()).statusCode();
  }
}
