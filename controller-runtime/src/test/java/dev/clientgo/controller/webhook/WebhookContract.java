package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Webhooks for admission and for conversion as API servers call them. */
abstract class WebhookContract extends AdmissionContract {

  private static final GroupKind GADGET = new GroupKind("webhooks.example.com", "Gadget");

  ResourceClient<Unstructured> gadgets(String version) {
    return client.resource(gadgetType(version)).inNamespace(name);
  }

  static ResourceType<Unstructured> gadgetType(String version) {
    return Unstructured.type(GADGET.withVersion(version), "gadgets", true);
  }

  Unstructured gadget(String version, String gadgetName, String field, Object value) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "webhooks.example.com/" + version,
            "kind",
            "Gadget",
            "metadata",
            Map.of("name", gadgetName, "namespace", name, "labels", Map.of("kept", "yes")),
            field,
            value));
  }

  /** v1 has a host, v2 a list of hosts. */
  static Conversion.Hub<Unstructured> gadgetConversion() {
    return Conversion.hub(gadgetType("v2"))
        .spoke(
            gadgetType("v1"),
            v1 -> {
              String host = v1.nestedString("host").orElse("");
              if (host.equals("broken")) {
                throw new IllegalArgumentException("this host cannot be converted");
              }
              return v1.withType("webhooks.example.com/v2", "Gadget")
                  .with(List.of(host), "hosts")
                  .without("host");
            },
            v2 ->
                v2.withType("webhooks.example.com/v1", "Gadget")
                    .with(v2.nestedStringList("hosts").orElse(List.of("")).get(0), "host")
                    .without("hosts"));
  }

  @Test
  void customResources_areReadAndStoredInEachVersion() throws Exception {
    install(builder().add(gadgetConversion()));
    Eventually.await(
        "a conversion",
        () -> {
          try {
            gadgets("v2").create(gadget("v2", "probe", "hosts", List.of("x")), DRY_RUN);
            return true;
          } catch (ApiStatusException e) {
            return false;
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });

    gadgets("v1").create(gadget("v1", "a", "host", "one"));
    gadgets("v2").create(gadget("v2", "b", "hosts", List.of("two")));
    assertThat(gadgets("v2").get("a").nestedStringList("hosts")).contains(List.of("one"));
    assertThat(gadgets("v1").get("b").nestedString("host")).contains("two");
    assertThat(gadgets("v2").list().items())
        .extracting(each -> each.nestedStringList("hosts").orElseThrow().get(0))
        .containsExactly("one", "two");

    // The storage moves to v2: each object is written once, and reads back in both versions.
    client
        .resource(CustomResourceDefinition.TYPE)
        .patch(
            "gadgets.webhooks.example.com",
            Patch.json(
                JsonPatch.builder()
                    .replace("/spec/versions/0/storage", false)
                    .replace("/spec/versions/1/storage", true)
                    .build()));
    for (String each : List.of("a", "b")) {
      gadgets("v2").edit(each, gadget -> gadget.with("yes", "metadata", "labels", "moved"));
    }
    assertThat(gadgets("v1").list().items())
        .allSatisfy(
            gadget ->
                assertThat(gadget.metadata().labels())
                    .isEqualTo(Map.of("kept", "yes", "moved", "yes")))
        .extracting(each -> each.nestedString("host").orElseThrow())
        .containsExactly("one", "two");

    assertThatThrownBy(() -> gadgets("v1").create(gadget("v1", "c", "host", "broken")))
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("conversion webhook for webhooks.example.com/v1, Kind=Gadget failed")
        .hasMessageContaining("this host cannot be converted");
  }
}
