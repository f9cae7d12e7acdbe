package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.webhook.AdmissionRequest.Operation;
import dev.clientgo.kubernetes.admissionregistration.v1.FailurePolicyType;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/webhooks.md}, which are compiled here with a ConfigMap as Foo. */
final class WebhooksPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final GroupKind FOO = new GroupKind("example.com", "Foo");
  private static final ResourceType<Unstructured> FOO_V1 =
      Unstructured.type(FOO.withVersion("v1"), "foos", true);
  private static final ResourceType<Unstructured> FOO_V2 =
      Unstructured.type(FOO.withVersion("v2"), "foos", true);

  static void serve(RESTClient client) throws InterruptedException {
    WebhookServer webhooks =
        WebhookServer.builder()
            .certificates(Path.of("/var/run/certs"))
            .add(
                Webhook.mutating(
                    ConfigMap.TYPE,
                    (foo, request) ->
                        foo.data().containsKey("colour")
                            ? foo
                            : foo.with(f -> f.editData(data -> data.put("colour", "green")))))
            .add(
                Webhook.validating(
                    ConfigMap.TYPE,
                    (foo, request) ->
                        foo.data().containsKey("secret")
                            ? AdmissionResponse.deny("secrets belong into a Secret")
                            : AdmissionResponse.allow()))
            .build();
    try (Manager manager = Manager.builder(client).webhooks(webhooks).build()) {
      manager.run();
    }
  }

  static void register(RESTClient client, WebhookServer webhooks, String caBundle)
      throws InterruptedException {
    WebhookTarget target = WebhookTarget.service("shop", "my-operator").caBundle(caBundle);
    webhooks.configurations("my-operator", target).install(client);
  }

  static WebhookServer test(RESTClient client) throws InterruptedException {
    Webhook locks =
        Webhook.validating(ConfigMap.TYPE, (foo, request) -> AdmissionResponse.allow())
            .operations(Operation.CREATE, Operation.UPDATE, Operation.DELETE)
            .resources("foos", "foos/status")
            .namespaceSelector(LabelSelector.of(s -> s.matchLabels(Map.of("team", "shop"))))
            .timeout(Duration.ofSeconds(5))
            .failurePolicy(FailurePolicyType.IGNORE);
    ServingCertificate certificate = ServingCertificate.selfSigned();
    WebhookServer local =
        WebhookServer.builder().port(0).certificate(certificate).add(locks).build();
    local.start();
    WebhookTarget here =
        WebhookTarget.url("https://127.0.0.1:" + local.address().getPort())
            .caBundle(certificate.caBundle());
    local.configurations("my-operator", here).install(client);
    return local;
  }

  static void issue(RESTClient client, Webhook locks) throws InterruptedException {
    WebhookServer issuing =
        WebhookServer.builder()
            .certificateSecret(
                client,
                ObjectName.parse("shop/my-operator-certificate"),
                "my-operator",
                "my-operator.shop.svc")
            .add(locks)
            .build();
    issuing
        .configurations("my-operator", WebhookTarget.service("shop", "my-operator"))
        .install(client);
  }

  static Conversion.Hub<Unstructured> convert() {
    Conversion.Hub<Unstructured> conversion =
        Conversion.hub(FOO_V2)
            .spoke(
                FOO_V1,
                v1 -> v1.with(v1.nestedStringList("hosts").orElse(List.of()), "spec", "hosts"),
                v2 -> v2.with(v2.nestedStringList("spec", "hosts").orElse(List.of()), "hosts"));
    return conversion;
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(
                Path.of("src/test/java/dev/clientgo/controller/webhook/WebhooksPageTest.java")));
    Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/webhooks.md")));
    int count = 0;
    while (examples.find()) {
      String example =
          examples
              .group(1)
              .replaceAll("\\bFoo\\b", "ConfigMap")
              .replaceAll("\\bFooV2\\b", "Unstructured");
      assertThat(here).contains(squeezed(example));
      count++;
    }

    assertThat(count).isEqualTo(6);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
