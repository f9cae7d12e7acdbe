package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The embedded server with the feature gate ManagedFieldsOptOut, as kube-apiserver 1.38 has it. */
final class EmbeddedManagedFieldsOptOutTest extends ProjectionContract {

  private static EmbeddedApiServer server;
  private static TestClient api;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.builder().featureGate("ManagedFieldsOptOut", true).start();
    api = TestClient.of(server);
  }

  @AfterAll
  static void stop() {
    api.close();
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }

  @Override
  TestClient api() {
    return api;
  }

  @Override
  boolean leavesOutManagedFields() {
    return true;
  }

  @Test
  void drop_deletedObjects_haveNoManagedFields() {
    create("c", ",'finalizers':['example.com/f']");
    create("d", ",'finalizers':['example.com/f']");

    String one = api().send("DELETE", configMap("c"), null, DROP).text();
    String all = api().send("DELETE", configMaps(), null, DROP).text();

    assertThat(one).contains("example.com/f").doesNotContain("managedFields");
    assertThat(all).contains("\"d\"").doesNotContain("managedFields");
  }

  /** As kube-apiserver, which skips a clause that it cannot fulfil. */
  @Test
  void drop_onlyOtherFields_isNotAcceptable() {
    assertThat(api().get(configMaps(), "Accept", "application/json;drop=data").code())
        .isEqualTo(406);
  }

  /** As kube-apiserver: the rows of a table keep the metadata as it is. */
  @Test
  void drop_ofATable_isIgnored() {
    create("e");

    String table =
        api().get(configMap("e"), DROP[0], DROP[1] + ";as=Table;g=meta.k8s.io;v=v1").text();

    assertThat(table).contains("managedFields");
  }
}
