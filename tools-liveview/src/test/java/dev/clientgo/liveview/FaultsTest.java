package dev.clientgo.liveview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.testing.Fault;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program's scenes and actions throw anything: the page reports it, and plays on. */
@Timeout(60)
final class FaultsTest {

  private final HttpClient http = HttpClient.newHttpClient();

  @ParameterizedTest
  @EnumSource
  void scene_thatThrows_endsWithAnErrorAndAnotherPlays(Fault fault) throws Exception {
    Text text = new Text("text", "文");
    Scene bad = new Scene("bad", text, List.of(new Scene.Step(text, fault::fail)));
    Scene good = new Scene("good", text, List.of(new Scene.Step(text, () -> {})));
    ScenePlayer player = new ScenePlayer(List.of(bad, good), FakeClock.create());

    player.play("bad", false);
    Map<String, Object> ended = awaitEnd(player);
    assertThat((String) ended.get("error")).contains(fault.told());

    player.play("good", false);
    assertThat(awaitEnd(player)).containsEntry("error", "").containsEntry("step", 1);
    player.stop();
  }

  private static Map<String, Object> awaitEnd(ScenePlayer player) {
    while (true) { // The timeout of the class bounds it.
      Map<String, Object> tree = player.tree();
      if (Boolean.FALSE.equals(tree.get("running"))) {
        return tree;
      }
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void action_thatThrows_isAnErrorOfItsRequest(Fault fault) throws Exception {
    try (LiveView view =
        LiveView.builder()
            .allowControl()
            .action("bad", new Text("bad", "坏"), new Text("Fails.", "失败。"), key -> fault.fail())
            .start()) {
      HttpResponse<String> answer = command(view.url(), "action?id=bad");

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains(fault.told());
      assertThat(command(view.url(), "pause?stage=pop").statusCode()).isEqualTo(204);
    }
  }

  private HttpResponse<String> command(URI url, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(Duration.ofSeconds(30))
            .header("X-Live-View", "1")
            .POST(BodyPublishers.noBody())
            .build();
    return http.send(request, BodyHandlers.ofString());
  }
}
