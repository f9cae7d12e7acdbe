package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.webhook.WebhookCaller.Reply;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Fault;
import dev.clientgo.testing.Fault.Injector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each function that a user gives to the webhooks throws, in each way. The caller gets an answer
 * that says so, the log reports it, a number counts it, and other calls continue.
 */
@Timeout(300)
final class WebhookFaultsTest {

  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();

  /** A function of the user that visits the injector. */
  private record Callback(
      String name,
      BiFunction<WebhookServer.Builder, Injector, WebhookServer.Builder> add,
      String path,
      String call,
      String good,
      String counter) {}

  private static final String PANICS = "controller_runtime_webhook_panics_total";

  private static final List<Callback> CALLBACKS =
      List.of(
          admission(
              "Validator.validate",
              (server, faults) ->
                  server.add(
                      Webhook.validating(
                          ConfigMap.TYPE,
                          (map, request) -> {
                            faults.visit();
                            return AdmissionResponse.allow();
                          })),
              "/validate--v1-configmap"),
          admission(
              "AdmissionHandler.handle",
              (server, faults) ->
                  server.add(
                      Webhook.validating(
                          ConfigMap.TYPE,
                          request -> {
                            faults.visit();
                            return AdmissionResponse.allow();
                          })),
              "/validate--v1-configmap"),
          admission(
              "Mutator.mutate",
              (server, faults) ->
                  server.add(
                      Webhook.mutating(
                          ConfigMap.TYPE,
                          (map, request) -> {
                            faults.visit();
                            return map;
                          })),
              "/mutate--v1-configmap"),
          conversion(
              "Converter.convert",
              (server, faults) ->
                  server.add(
                      Conversion.of(
                          new GroupKind("example.com", "Widget"),
                          "widgets",
                          (object, desired) -> {
                            faults.visit();
                            return object.withType("example.com/v2", "Widget");
                          }))),
          conversion(
              "Conversion.Hub.spoke",
              (server, faults) ->
                  server.add(
                      Conversion.hub(ConversionTest.version("v2"))
                          .spoke(
                              ConversionTest.version("v1"),
                              v1 -> {
                                faults.visit();
                                return v1.withType("example.com/v2", "Widget");
                              },
                              v2 -> v2.withType("example.com/v1", "Widget")))));

  private static Callback admission(
      String name,
      BiFunction<WebhookServer.Builder, Injector, WebhookServer.Builder> add,
      String path) {
    return new Callback(
        name, add, path, WebhookCaller.review(Map.of("a", "b")), "\"allowed\":true", PANICS);
  }

  private static Callback conversion(
      String name, BiFunction<WebhookServer.Builder, Injector, WebhookServer.Builder> add) {
    return new Callback(
        name,
        add,
        "/convert",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':'u1',"
            + "'desiredAPIVersion':'example.com/v2','objects':[{'apiVersion':'example.com/v1',"
            + "'kind':'Widget','metadata':{'name':'a'}}]}}",
        "\"status\":\"Success\"",
        "controller_runtime_conversion_webhook_panics_total");
  }

  static Stream<Arguments> cases() {
    return CALLBACKS.stream()
        .flatMap(
            callback ->
                Arrays.stream(Fault.values())
                    .map(fault -> argumentSet(callback.name + " " + fault, callback, fault)));
  }

  private final Injector faults = new Injector();
  private WebhookServer server;

  @AfterEach
  void stop() {
    server.close(Duration.ZERO);
  }

  private WebhookCaller start(Callback callback, MetricsRegistry metrics) {
    server =
        callback
            .add
            .apply(
                WebhookServer.builder()
                    .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .certificate(CERTIFICATE),
                faults)
            .build();
    server.start(metrics);
    return new WebhookCaller(server, CERTIFICATE.caBundle());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void callback_thatThrows_isAnsweredToldAndCounted_andTheNextCallGoesOn(
      Callback callback, Fault fault) throws Exception {
    PrometheusMetrics metrics = PrometheusMetrics.create();
    try (CapturedLog log = CapturedLog.of(WebhookServer.class)) {
      WebhookCaller caller = start(callback, metrics);
      faults.begin(fault);
      for (int i = 0; i < 3; i++) {
        Reply bad = caller.post(callback.path, callback.call);
        assertThat(bad.code()).isEqualTo(200);
        assertThat(bad.http().body())
            .containsAnyOf("failed", "Failure")
            .doesNotContain(callback.good);
      }
      assertThat(metrics.value(callback.counter, Map.of())).isEqualTo(3);
      assertThat(log.contains("failed")).isTrue();

      faults.end();
      assertThat(caller.post(callback.path, callback.call).http().body()).contains(callback.good);
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void metrics_thatThrow_costNoAnswer(Fault fault) throws Exception {
    MetricsRegistry hostile =
        new MetricsRegistry() {
          @Override
          public Runnable counter(Metric metric) {
            return fault::fail;
          }

          @Override
          public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
            fault.fail();
            return value -> {};
          }

          @Override
          public void gauge(Metric metric, DoubleSupplier value) {
            fault.fail();
          }

          @Override
          public void remove(Metric metric) {
            fault.fail();
          }
        };
    try (CapturedLog log = CapturedLog.of(MetricsRegistry.class)) {
      WebhookCaller caller = start(CALLBACKS.get(0), hostile);

      Reply reply = caller.post(CALLBACKS.get(0).path, CALLBACKS.get(0).call);

      assertThat(reply.http().body()).contains(CALLBACKS.get(0).good);
      assertThat(log.contains("The registry of metrics has failed")).isTrue();
    }
  }
}
