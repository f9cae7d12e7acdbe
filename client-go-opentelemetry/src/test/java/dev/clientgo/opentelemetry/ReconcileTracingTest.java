package dev.clientgo.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ReconcileObserver.Start;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerBuilder;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The spans of reconciles and their requests. */
@Timeout(120)
final class ReconcileTracingTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";
  private static final String OTHER = "00-1bf7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
  private final OpenTelemetry telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(provider)
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();

  private final List<String> headers = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Request> reconciled = new LinkedBlockingQueue<>();
  private EmbeddedApiServer server;

  /** Of another program, which is not traced. */
  private RESTClient other;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    other = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    other.close();
    server.close();
    provider.close();
  }

  private Manager started(ReconcileTracing tracing, RESTClient client, Reconciler reconciler)
      throws InterruptedException {
    Manager manager = Manager.builder(client).observer(tracing).build();
    manager.add(
        Controller.builder(
                (request, context) -> {
                  try {
                    return reconciler.reconcile(request, context);
                  } finally {
                    reconciled.add(request);
                  }
                })
            .forKind(ConfigMap.TYPE)
            .named("foo")
            .build());
    manager.start();
    assertThat(manager.awaitReady(Duration.ofSeconds(60))).isTrue();
    return manager;
  }

  private RESTClient traced(ReconcileTracing tracing) {
    return RESTClient.builder(server.restConfig())
        .addInterceptor(tracing)
        .addInterceptor(
            (request, next) -> {
              request
                  .header("traceparent")
                  .ifPresent(header -> headers.add(request.method() + " " + header));
              return next.send(request);
            })
        .build();
  }

  private void create(String name, Map<String, String> annotations) throws InterruptedException {
    ObjectMeta metadata =
        ObjectMeta.builder().namespace("default").name(name).annotations(annotations).build();
    other
        .resource(ConfigMap.TYPE)
        .inNamespace("default")
        .create(ConfigMap.of(c -> c.metadata(metadata).data(Map.of())));
  }

  private void awaitReconcile() throws InterruptedException {
    assertThat(reconciled.poll(60, TimeUnit.SECONDS)).isNotNull();
  }

  /** Waits until the spans of so many reconciles have ended, and returns those of the name. */
  private List<SpanData> spans(String name, int reconciles) throws InterruptedException {
    Eventually.await("the spans", () -> named("foo reconcile").size() >= reconciles);
    return named(name);
  }

  private List<SpanData> named(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  @Test
  void trace_leadsFromTheQueueToTheWrite_andTheWriteCarriesIt() throws Exception {
    ReconcileTracing tracing = new ReconcileTracing(telemetry);
    Reconciler reconciler =
        (request, context) -> {
          Secret secret =
              Secret.of(
                  s ->
                      s.metadata(
                          ObjectMeta.builder()
                              .namespace("default")
                              .name("of-" + request.name())
                              .annotations(ReconcileTracing.annotations())
                              .build()));
          context.client().uncached().resource(Secret.TYPE).inNamespace("default").create(secret);
          return Result.done();
        };
    try (RESTClient client = traced(tracing);
        Manager manager = started(tracing, client, reconciler)) {
      create("x", Map.of());
      awaitReconcile();

      SpanData reconcile = spans("foo reconcile", 1).get(0);
      SpanData queue = named("foo queue").get(0);
      SpanData write = named("POST /api/v1/namespaces/{namespace}/secrets").get(0);
      String flags = "-" + write.getSpanContext().getTraceFlags().asHex();
      assertThat(queue.getParentSpanContext().isValid()).isFalse();
      assertThat(reconcile.getParentSpanId()).isEqualTo(queue.getSpanId());
      assertThat(write.getParentSpanId()).isEqualTo(reconcile.getSpanId());
      assertThat(write.getKind()).isEqualTo(SpanKind.CLIENT);
      assertThat(write.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
          .isEqualTo(201);
      assertThat(queue.getStartEpochNanos()).isLessThanOrEqualTo(queue.getEndEpochNanos());
      assertThat(reconcile.getAttributes().get(AttributeKey.stringKey("k8s.object.name")))
          .isEqualTo("x");
      assertThat(reconcile.getAttributes().get(AttributeKey.stringKey("k8s.reconcile.outcome")))
          .isEqualTo("DONE");
      assertThat(headers)
          .as("informers send none")
          .containsExactly("POST 00-" + write.getTraceId() + "-" + write.getSpanId() + flags);
      assertThat(
              other
                  .resource(Secret.TYPE)
                  .inNamespace("default")
                  .get("of-x")
                  .metadata()
                  .annotations())
          .containsExactly(
              Map.entry(
                  "traceparent", "00-" + write.getTraceId() + "-" + reconcile.getSpanId() + flags));
      assertThat(exporter.getFinishedSpanItems()).hasSize(3);
      assertThat(ReconcileTracing.annotations()).isEmpty();
      assertThat(manager.controllers()).hasSize(1);
    }
  }

  @Test
  void annotation_ofAChange_isTheParent_onlyOfTheReconcilesThatFollow() throws Exception {
    ReconcileTracing tracing = new ReconcileTracing(telemetry);
    create("old", Map.of("traceparent", OTHER));
    Reconciler reconciler =
        (request, context) -> {
          if (request.name().equals("x") && context.failures() == 0) {
            throw new IOException("not yet");
          }
          return Result.done();
        };
    try (RESTClient client = traced(tracing);
        Manager manager = started(tracing, client, reconciler)) {
      awaitReconcile();
      assertThat(spans("foo queue", 1).get(0).getTraceId()).isNotEqualTo(TRACE);
      assertThat(named("foo queue").get(0).getParentSpanContext().isValid()).isFalse();

      create("x", Map.of("traceparent", PARENT));
      awaitReconcile();
      awaitReconcile();
      assertThat(spans("foo queue", 3).subList(1, 3))
          .as("the first try and the second")
          .allSatisfy(
              span -> {
                assertThat(span.getTraceId()).isEqualTo(TRACE);
                assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
              });
      SpanData failed = named("foo reconcile").get(1);
      assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(failed.getEvents()).hasSize(1);

      other
          .resource(ConfigMap.TYPE)
          .inNamespace("default")
          .edit("x", map -> map.with(c -> c.data(Map.of("k", "v"))));
      awaitReconcile();
      assertThat(spans("foo queue", 4).get(3).getTraceId())
          .as("the annotation is that of an older change")
          .isNotEqualTo(TRACE);
      assertThat(manager.controllers()).hasSize(1);
    }
  }

  @Test
  void severalAnnotations_areLinks_andTheirNumberIsBounded() throws Exception {
    ReconcileTracing tracing = new ReconcileTracing(telemetry);
    Request request = new Request("default", "x");
    for (String parent : List.of(PARENT, OTHER, OTHER)) {
      tracing.changed("foo", List.of(request), null, annotated(parent));
    }
    end(tracing, request);
    assertThat(named("foo queue").get(0).getLinks())
        .extracting(LinkData::getSpanContext)
        .extracting(context -> context.getTraceId())
        .containsExactly(TRACE, "1bf7651916cd43dd8448eb211c80319c");

    for (int i = 1; i <= 20; i++) {
      String parent = PARENT.replace("b7ad6b7169203331", "b7ad6b71692033%02d".formatted(i));
      tracing.changed("foo", List.of(request), null, annotated(parent));
    }
    end(tracing, request);
    assertThat(named("foo queue").get(1).getLinks()).hasSize(8);

    tracing.changed("foo", List.of(request), null, annotated(PARENT));
    for (int i = 0; i < 1000; i++) {
      Request each = new Request("default", "y" + i);
      tracing.changed("foo", List.of(each), null, annotated(OTHER));
    }
    end(tracing, request);
    assertThat(named("foo queue").get(2).getTraceId()).as("forgotten").isNotEqualTo(TRACE);
  }

  @ParameterizedTest
  @CsvSource({"rubbish", "00-00000000000000000000000000000000-b7ad6b7169203331-01", "''"})
  void annotation_thatIsNotValid_isIgnored(String parent) {
    ReconcileTracing tracing = new ReconcileTracing(telemetry);
    Request request = new Request("default", "x");
    tracing.changed("foo", List.of(request), null, annotated(parent));
    tracing.changed("foo", List.of(request), annotated(PARENT), null);
    end(tracing, request);
    assertThat(named("foo queue").get(0).getParentSpanContext().isValid()).isFalse();
  }

  private static ConfigMap annotated(String parent) {
    ObjectMeta metadata =
        ObjectMeta.builder().name("x").annotations(Map.of("traceparent", parent)).build();
    return ConfigMap.of(c -> c.metadata(metadata));
  }

  /** They filled the memory, and the reconcile of an annotated change had no parent. */
  @Test
  void failuresWithoutACause_leaveTheCausesOfOthersKnown() {
    ReconcileTracing tracing = new ReconcileTracing(telemetry);
    Request request = new Request("default", "x");
    tracing.changed("foo", List.of(request), null, annotated(PARENT));
    for (int i = 0; i < 1000; i++) {
      end(tracing, new Request("default", "y" + i), Outcome.FAILED);
    }
    end(tracing, request);
    assertThat(named("foo queue").get(1000).getTraceId()).isEqualTo(TRACE);
  }

  private static void end(ReconcileTracing tracing, Request request) {
    end(tracing, request, Outcome.DONE);
  }

  private static void end(ReconcileTracing tracing, Request request, Outcome outcome) {
    tracing.begin(new Start("foo", request, 1, 0, Duration.ZERO)).end(outcome, Optional.empty());
  }

  /** The span of a reconcile whose error could not be printed never ended. */
  @ParameterizedTest
  @EnumSource
  void error_ofAnyKind_endsTheSpan(Fault fault) {
    ReconcileTracing tracing = new ReconcileTracing(telemetry);
    Start start = new Start("foo", new Request("default", "x"), 1, 0, Duration.ZERO);

    tracing.begin(start).end(Outcome.FAILED, Optional.of(fault.thrown()));

    assertThat(named("foo reconcile"))
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
              assertThat(span.getEvents()).hasSize(1);
            });
  }

  /** A tracer that fails at each call, or whose spans do, costs no reconcile and no request. */
  @ParameterizedTest
  @EnumSource
  void tracer_thatThrows_stopsNothing(Fault fault) throws Exception {
    for (OpenTelemetry faulty : List.of(noTracer(fault), noEnd(fault))) {
      CountDownLatch written = new CountDownLatch(1);
      ReconcileTracing tracing = new ReconcileTracing(faulty);
      String name = "x" + faulty.hashCode();
      Reconciler reconciler =
          (request, context) -> {
            context
                .client()
                .uncached()
                .resource(Secret.TYPE)
                .inNamespace("default")
                .create(Secret.of("default", request.name(), s -> {}));
            written.countDown();
            return Result.done();
          };
      try (CapturedLog quiet = CapturedLog.of(Controller.class);
          CapturedLog tracingLog = CapturedLog.of(ReconcileTracing.class);
          RESTClient client = traced(tracing);
          Manager manager = started(tracing, client, reconciler)) {
        create(name, Map.of("traceparent", PARENT));
        assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
        awaitReconcile();
        create(name + "-next", Map.of());
        awaitReconcile();

        assertThat(quiet.traces()).anySatisfy(line -> assertThat(line).contains("Observer 1: "));
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
        assertThat(manager.controllers()).hasSize(1);
        assertThat(tracingLog.traces()).hasSizeLessThan(100);
      }
      other.resource(ConfigMap.TYPE).inNamespace("default").delete(name);
      other.resource(ConfigMap.TYPE).inNamespace("default").delete(name + "-next");
    }
  }

  private static OpenTelemetry noTracer(Fault fault) {
    Tracer tracer = name -> fault.fail();
    return of(tracer);
  }

  /** A tracer whose spans throw when they end. */
  private OpenTelemetry noEnd(Fault fault) {
    Tracer tracer =
        name -> {
          Object real = telemetry.getTracer("x").spanBuilder(name);
          return (SpanBuilder)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {SpanBuilder.class},
                  (proxy, method, args) -> {
                    Object result = method.invoke(real, args);
                    return result instanceof Span span
                        ? failing(span, fault)
                        : method.getReturnType().isInstance(proxy) ? proxy : result;
                  });
        };
    return of(tracer);
  }

  private Span failing(Span span, Fault fault) {
    return (Span)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Span.class},
            (proxy, method, args) ->
                method.getName().equals("end") && args == null
                    ? fault.fail()
                    : method.invoke(span, args));
  }

  private static OpenTelemetry of(Tracer tracer) {
    return new OpenTelemetry() {
      @Override
      public TracerProvider getTracerProvider() {
        return new TracerProvider() {
          @Override
          public Tracer get(String name) {
            return tracer;
          }

          @Override
          public Tracer get(String name, String version) {
            return tracer;
          }

          @Override
          public TracerBuilder tracerBuilder(String name) {
            throw new UnsupportedOperationException(name);
          }
        };
      }

      @Override
      public ContextPropagators getPropagators() {
        return ContextPropagators.noop();
      }
    };
  }
}
