package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.webhook.WebhookCaller.Reply;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.testing.CapturedLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conversions at {@code /convert}, without an API server. */
@Timeout(300)
final class ConversionTest {

  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();
  private static final GroupKind KIND = new GroupKind("example.com", "Widget");

  private WebhookServer server;

  @AfterEach
  void stop() {
    server.close(Duration.ZERO);
  }

  private WebhookCaller start(Conversion conversion) {
    server =
        WebhookServer.builder()
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .certificate(CERTIFICATE)
            .add(conversion)
            .build();
    server.start();
    return new WebhookCaller(server, CERTIFICATE.caBundle());
  }

  static ResourceType<Unstructured> version(String version) {
    return Unstructured.type(KIND.withVersion(version), "widgets", true);
  }

  /** v1 has a host, v2 a list of hosts, v3 an object; v2 is the hub. */
  static Conversion hub() {
    return Conversion.hub(version("v2"))
        .spoke(
            version("v1"),
            v1 ->
                v1.withType("example.com/v2", "Widget")
                    .with(v1.nestedString("host").stream().toList(), "hosts")
                    .without("host"),
            v2 ->
                v2.withType("example.com/v1", "Widget")
                    .with(v2.nestedStringList("hosts").orElseThrow().get(0), "host")
                    .without("hosts"))
        .spoke(
            version("v3"),
            v3 ->
                v3.withType("example.com/v2", "Widget")
                    .with(v3.nestedStringList("endpoint", "hosts").orElseThrow(), "hosts")
                    .without("endpoint"),
            v2 ->
                v2.withType("example.com/v3", "Widget")
                    .with(Map.of("hosts", v2.nestedStringList("hosts").orElseThrow()), "endpoint")
                    .without("hosts"))
        .conversion();
  }

  private static String review(String desired, String... objects) {
    return "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{"
        + "'uid':'u1','desiredAPIVersion':'"
        + desired
        + "','objects':["
        + String.join(",", objects)
        + "]}}";
  }

  private static String widget(String version, String name, String fields) {
    return "{'apiVersion':'example.com/"
        + version
        + "','kind':'Widget','metadata':{'name':'"
        + name
        + "','namespace':'shop','uid':'u-"
        + name
        + "','novel':1},"
        + fields
        + "}";
  }

  @Test
  void objects_areConvertedByWayOfTheHub_inTheirOrder() throws Exception {
    WebhookCaller caller = start(hub());

    Reply reply =
        caller.post(
            "/convert",
            review(
                "example.com/v3",
                widget("v1", "a", "'host':'x'"),
                widget("v3", "b", "'endpoint':{'hosts':['y']}"),
                widget("v2", "c", "'hosts':['z']")));

    assertThat(reply.code()).isEqualTo(200);
    assertThat(reply.at("kind")).isEqualTo("ConversionReview");
    assertThat(reply.at("apiVersion")).isEqualTo("apiextensions.k8s.io/v1");
    assertThat(reply.at("response", "uid")).isEqualTo("u1");
    assertThat(reply.at("response", "result")).isEqualTo("{status=Success}");
    assertThat(Unstructured.parse(reply.http().body()).nestedList("response", "convertedObjects"))
        .hasValueSatisfying(
            objects ->
                assertThat(objects)
                    .extracting(object -> object.toString())
                    .containsExactly(
                        converted("a", "x"), converted("b", "y"), converted("c", "z")));
  }

  private static String converted(String name, String host) {
    return "{apiVersion=example.com/v3, kind=Widget, metadata={name="
        + name
        + ", namespace=shop, uid=u-"
        + name
        + ", novel=1}, endpoint={hosts=["
        + host
        + "]}}";
  }

  private static Conversion fixed(Converter converter) {
    return Conversion.of(KIND, "widgets", converter);
  }

  private static Unstructured toV2(Unstructured object) {
    return object.withType("example.com/v2", "Widget");
  }

  @Test
  void metadata_isRestored_exceptForLabelsAndAnnotations() throws Exception {
    WebhookCaller caller =
        start(
            fixed(
                (object, desired) ->
                    object.metadata().name().equals("bare")
                        ? toV2(object).without("metadata")
                        : toV2(object)
                            .withMetadata(ObjectMeta.of(m -> m.labels(Map.of("new", "1"))))));

    Reply reply =
        caller.post(
            "/convert",
            review("example.com/v2", widget("v1", "bare", "'a':1"), widget("v1", "a", "'a':1")));

    assertThat(reply.at("response", "convertedObjects"))
        .contains("uid=u-bare")
        .contains("uid=u-a, labels={new=1}");
  }

  @Test
  void converterThatFails_isToldInTheResult() throws Exception {
    WebhookCaller caller =
        start(
            fixed(
                (object, desired) -> {
                  throw new IllegalStateException("no host");
                }));

    try (CapturedLog log = CapturedLog.of(WebhookServer.class)) {
      Reply reply =
          caller.post("/convert", review("example.com/v2", widget("v1", "a", "'host':'x'")));

      assertThat(reply.code()).isEqualTo(200);
      assertThat(reply.at("response", "uid")).isEqualTo("u1");
      assertThat(reply.at("response", "convertedObjects")).isEqualTo("[]");
      assertThat(reply.at("response", "result", "status")).isEqualTo("Failure");
      assertThat(reply.at("response", "result", "message"))
          .isEqualTo(
              "converting example.com/v1 Widget shop/a to example.com/v2:"
                  + " java.lang.IllegalStateException: no host");
      assertThat(log.contains("A conversion failed")).isTrue();
    }
  }

  @Test
  void converterThatChangesTheIdentity_isToldInTheResult() throws Exception {
    WebhookCaller caller =
        start(fixed((object, desired) -> toV2(object).with("other", "metadata", "name")));

    Reply reply = caller.post("/convert", review("example.com/v2", widget("v1", "a", "'x':1")));

    assertThat(reply.at("response", "result", "message"))
        .contains("the converter changed metadata.name from a to other");
  }

  @Test
  void wrongVersionOrUnknownKind_isToldInTheResult() throws Exception {
    WebhookCaller caller = start(fixed((object, desired) -> object));

    Reply same = caller.post("/convert", review("example.com/v2", widget("v1", "a", "'x':1")));
    Reply other =
        caller.post(
            "/convert",
            review("v2", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'}}"));

    assertThat(same.at("response", "result", "message")).contains("the converter returned");
    assertThat(other.at("response", "result", "message")).contains("no conversion for ConfigMap");
  }

  @Test
  void unknownVersion_isToldWithTheKnownOnes() throws Exception {
    WebhookCaller caller = start(hub());

    Reply reply =
        caller.post("/convert", review("example.com/v9", widget("v1", "a", "'host':'x'")));

    assertThat(reply.at("response", "result", "message"))
        .contains("no conversion of the version example.com/v9; there are example.com/v2 and [");
  }

  @Test
  void otherBodies_areRefused() throws Exception {
    WebhookCaller caller = start(hub());

    assertThat(caller.post("/convert", "{").code()).isEqualTo(400);
    assertThat(caller.post("/convert", review("a/b/c")).code()).isEqualTo(400);
    assertThat(caller.post("/convert", "{'kind':'ConversionReview'}").code()).isEqualTo(400);
  }

  @Test
  void hub_takesVersionsOfItsKindOnce() {
    server = WebhookServer.builder().build();
    Conversion.Hub<Unstructured> hub = Conversion.hub(version("v2"));

    assertThatThrownBy(() -> hub.spoke(version("v2"), a -> a, a -> a))
        .hasMessageContaining("there is a version " + new GroupVersion("example.com", "v2"));
    assertThatThrownBy(() -> hub.spoke(ConfigMap.TYPE, a -> null, a -> null))
        .hasMessageContaining("is not a version of");
  }
}
