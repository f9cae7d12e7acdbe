package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.admissionregistration.v1.MatchPolicyType;
import dev.clientgo.kubernetes.admissionregistration.v1.ReinvocationPolicyType;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract of webhooks against the real server. */
final class KubeApiServerWebhookTest extends WebhookContract {

  private static KubeApiServer server;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
    server.installCrds(DEFINITIONS);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ApiServer server() {
    return server;
  }

  @Test
  void webhook_isCalledOnlyIfAllConditionsAreTrue() throws Exception {
    install(
        builder()
            .add(
                here(
                    Webhook.validating(
                            ConfigMap.TYPE, (map, request) -> AdmissionResponse.deny("not free"))
                        .matchCondition("not-free", "object.metadata.name != 'free'")
                        .matchCondition("writes", "request.operation == 'CREATE'"))));
    awaitConfigMaps("validate");

    assertThatThrownBy(() -> maps.create(map("taken", Map.of())))
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("not free");
    ConfigMap free = maps.create(map("free", Map.of()));
    maps.update(free.with(m -> m.data(Map.of("a", "b"))));
  }

  @Test
  void webhook_withTheExactPolicy_isNotCalledForOtherVersions() throws Exception {
    List<String> called = new CopyOnWriteArrayList<>();
    Webhook exact =
        Webhook.validating(
            gadgetType("v1"),
            (gadget, request) -> {
              called.add("exact " + gadget.apiVersion());
              return AdmissionResponse.allow();
            });
    Webhook equivalent =
        Webhook.validating(
                gadgetType("v1"),
                (gadget, request) -> {
                  called.add("equivalent " + gadget.apiVersion());
                  return AdmissionResponse.allow();
                })
            .path("/equivalent")
            .name("equivalent.gadgets.example.com");
    install(
        builder()
            .add(gadgetConversion())
            .add(here(exact.matchPolicy(MatchPolicyType.EXACT)))
            .add(here(equivalent)));
    awaitCalled(
        "/equivalent",
        () -> gadgets("v2").create(gadget("v2", "probe", "hosts", List.of("x")), DRY_RUN));
    awaitCalled(
        exact.path(), () -> gadgets("v1").create(gadget("v1", "probe", "host", "x"), DRY_RUN));
    called.clear();

    gadgets("v2").create(gadget("v2", "other", "hosts", List.of("x")), DRY_RUN);
    assertThat(called).containsExactly("equivalent webhooks.example.com/v1");
    called.clear();
    gadgets("v1").create(gadget("v1", "same", "host", "x"), DRY_RUN);
    assertThat(called)
        .containsExactlyInAnyOrder(
            "exact webhooks.example.com/v1", "equivalent webhooks.example.com/v1");
  }

  @Test
  void mutator_isCalledAgain_ifALaterOneChangesTheObject() throws Exception {
    List<String> called = new CopyOnWriteArrayList<>();
    install(
        builder()
            .add(recording("again", called).reinvocationPolicy(ReinvocationPolicyType.IF_NEEDED))
            .add(recording("once", called).reinvocationPolicy(ReinvocationPolicyType.NEVER))
            .add(recording("last", called)));
    awaitCalled("/last", () -> maps.create(map("probe", Map.of()), DRY_RUN));
    called.clear();

    ConfigMap created = maps.create(map("a", Map.of()));

    assertThat(called).containsExactly("again", "once", "last", "again");
    assertThat(created.data()).containsOnlyKeys("again", "once", "last");
  }

  /** Returns a mutator that puts its name into the data. */
  private Webhook recording(String mutator, List<String> called) {
    return here(
        Webhook.mutating(
                ConfigMap.TYPE,
                (map, request) -> {
                  called.add(mutator);
                  return map.with(m -> m.editData(data -> data.put(mutator, "yes")));
                })
            .path("/" + mutator)
            .name(mutator + ".configmaps.example.com"));
  }
}
