package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.Reactors.Reactor;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Fault;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The functions of a test throw anything: the request fails with it, and the server continues. */
@Timeout(120)
final class FaultsTest {

  private static final String PATH = "/api/v1/namespaces/default/configmaps";

  @ParameterizedTest
  @EnumSource
  void reactor_thatThrows_isAnInternalErrorAndTheServerGoesOn(Fault fault) {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TestClient api = TestClient.of(server)) {
      server.reactors().prepend("list", "configmaps", Reactor.once(request -> fault.fail()));

      Answer failed = api.get(PATH);
      assertThat(failed.code()).isEqualTo(500);
      assertThat(failed.message()).contains(fault.told());
      assertThat(api.get(PATH).code()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fault_whoseConditionThrows_isAnInternalError(Fault fault) {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TestClient api = TestClient.of(server)) {
      server.faults().on(request -> fault.fail()).answer(409);

      assertThat(api.get(PATH).code()).isEqualTo(500);
      server.faults().clear();
      assertThat(api.get(PATH).code()).isEqualTo(200);
    }
  }

  /** Without sockets a request runs on the thread of its caller. */
  @ParameterizedTest
  @EnumSource
  void reactor_inProcess_isAnInternalErrorOfItsRequest(Fault fault) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().listen(false).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      var maps = client.dynamic(new GroupVersionResource("", "v1", "configmaps"));
      server.reactors().prepend("list", "configmaps", Reactor.once(request -> fault.fail()));

      try {
        maps.list();
        throw new IllegalStateException("no error");
      } catch (ApiStatusException e) {
        assertThat(e.code()).isEqualTo(500);
        assertThat(e).hasMessageContaining(fault.told());
      }
      assertThat(maps.list().items()).isEmpty();
    }
  }
}
