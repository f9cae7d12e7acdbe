package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The one function of a user that this module calls, the test of {@link Wait#until}, fails: its
 * caller receives what it has thrown, at once, and the watch is closed.
 */
@Timeout(300)
final class FaultsTest {

  @ParameterizedTest
  @EnumSource
  void test_thatThrowsAtAnEvent_endsTheWait(Fault fault) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      maps.create(ConfigMap.of("default", "a", map -> map.data(Map.of("n", "1"))));
      Thread writer =
          new Thread(
              () -> {
                try {
                  maps.edit("a", map -> map.with(m -> m.data(Map.of("n", "2"))));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      assertThatThrownBy(
              () ->
                  Wait.until(
                      maps,
                      "a",
                      map -> {
                        if (map.data().get("n").equals("1")) {
                          if (writer.getState() == Thread.State.NEW) {
                            writer.start();
                          }
                          return false;
                        }
                        return fault.fail();
                      },
                      Duration.ofSeconds(60)))
          .isInstanceOf(fault.thrown().getClass());
      writer.join(60_000);
      assertThat(writer.isAlive()).isFalse();

      // The client works on, so nothing of the failed wait holds it.
      assertThat(Wait.until(maps, "a", map -> true, Duration.ofSeconds(60)).data())
          .containsEntry("n", "2");
    }
  }
}
