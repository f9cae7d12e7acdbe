package dev.clientgo.opentelemetry;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.ReconcileObserver;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.rest.config.RequestHead;
import dev.clientgo.rest.config.RequestInterceptor;
import dev.clientgo.rest.config.ResponseHead;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Traces reconciles: a span for the time in the queue, in it one for the reconcile, and in that one
 * for each attempt of a request that the reconcile sends.
 *
 * <pre>{@code
 * ReconcileTracing tracing = new ReconcileTracing(openTelemetry);
 * RESTClient client = RESTClient.builder(config).addInterceptor(tracing).build();
 * Manager manager = Manager.builder(client).observer(tracing).build();
 * }</pre>
 *
 * <p>If a change gives an object another annotation {@code traceparent}, of the W3C Trace Context,
 * the reconcile that follows continues that trace; if several changes did, it begins a trace with
 * links to them. {@link #annotations} are those to write, which this never does itself. Requests
 * get the headers of the propagators. Requests outside of a reconcile, such as those of informers
 * and leases, get neither spans nor headers, unless a span of the program is current.
 *
 * <p>A tracer that throws costs only its spans, and is logged. Safe for use by many threads.
 */
public final class ReconcileTracing implements ReconcileObserver, RequestInterceptor {

  private static final System.Logger LOG = System.getLogger(ReconcileTracing.class.getName());

  /** How many requests, and causes of each, are remembered until they are reconciled. */
  private static final int MOST_REQUESTS = 1000;

  private static final int MOST_CAUSES = 8;

  private record Key(String controller, Request request) {}

  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final Clock clock = Clock.system();
  private final CrashLog crashes = new CrashLog(LOG);

  /** The spans that have led to requests which were not reconciled since. */
  private final Map<Key, Set<SpanContext>> causes =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Set<SpanContext>> eldest) {
              return size() > MOST_REQUESTS;
            }
          });

  /** Creates an instance whose spans are those of the tracer {@code dev.clientgo}. */
  public ReconcileTracing(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer("dev.clientgo");
    propagator = telemetry.getPropagators().getTextMapPropagator();
  }

  /**
   * Returns the annotations that carry the current span, for an object that the reconcile writes:
   * {@code traceparent}, and {@code tracestate} if there is one; none outside of a span. They
   * differ in each reconcile, so add them only to a write that changes something else, too;
   * otherwise each reconcile writes and causes the next one.
   */
  public static Map<String, String> annotations() {
    Map<String, String> annotations = new HashMap<>();
    W3CTraceContextPropagator.getInstance()
        .inject(Context.current(), annotations, (map, key, value) -> annotations.put(key, value));
    return annotations;
  }

  // ---- reconciles

  @Override
  public void changed(
      String controller,
      Collection<Request> requests,
      @Nullable KubernetesObject before,
      @Nullable KubernetesObject after) {
    if (after == null || Objects.equals(parent(before), parent(after))) {
      return; // The annotation is that of an older change.
    }
    Context extracted =
        W3CTraceContextPropagator.getInstance()
            .extract(
                Context.root(),
                after.metadata().annotations(),
                (annotations, key) -> annotations == null ? null : annotations.get(key));
    SpanContext cause = Span.fromContext(extracted).getSpanContext();
    if (cause.isValid()) {
      requests.forEach(request -> remember(new Key(controller, request), Set.of(cause)));
    }
  }

  private static @Nullable String parent(@Nullable KubernetesObject object) {
    return object == null ? null : object.metadata().annotations().get("traceparent");
  }

  private void remember(Key key, Set<SpanContext> more) {
    causes.merge(
        key,
        more,
        (known, added) ->
            Stream.concat(known.stream(), added.stream())
                .limit(MOST_CAUSES)
                .collect(Collectors.toCollection(LinkedHashSet::new)));
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // The end closes the scope.
  public End begin(Start start) {
    Key key = new Key(start.controller(), start.request());
    Set<SpanContext> led = Objects.requireNonNullElse(causes.remove(key), Set.of());
    Instant now = clock.now();
    SpanBuilder builder =
        tracer
            .spanBuilder(start.controller() + " queue")
            .setStartTimestamp(now.minus(start.queued()));
    if (led.size() == 1) {
      builder.setParent(Context.root().with(Span.wrap(led.iterator().next())));
    } else {
      builder.setNoParent();
      led.forEach(builder::addLink);
    }
    Span queue = builder.startSpan();
    queue.end(now);
    Span span =
        tracer
            .spanBuilder(start.controller() + " reconcile")
            .setParent(Context.root().with(queue))
            .setAttribute("k8s.controller.name", start.controller())
            .setAttribute("k8s.cluster.name", start.request().cluster())
            .setAttribute("k8s.namespace.name", start.request().namespace())
            .setAttribute("k8s.object.name", start.request().name())
            .setAttribute("k8s.reconcile.id", start.reconcileId())
            .setAttribute("k8s.reconcile.failures", start.failures())
            .startSpan();
    Scope scope = span.makeCurrent();
    return (outcome, error) -> {
      scope.close(); // First: what follows may throw, and the thread has other reconciles.
      if (outcome == Outcome.FAILED && !led.isEmpty()) {
        remember(key, led); // For the retry.
      }
      span.setAttribute("k8s.reconcile.outcome", outcome.name());
      end(span, error.orElse(null));
    };
  }

  private static void end(Span span, @Nullable Throwable error) {
    if (error != null) {
      span.recordException(CrashLog.printable(error)).setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  // ---- requests

  @Override
  public ResponseHead intercept(RequestHead request, Next next) throws InterruptedException {
    Optional<Span> begun = guard(Optional.empty(), () -> begin(request));
    if (begun.isEmpty()) {
      return next.send(request);
    }
    Span span = begun.get();
    RequestHead traced = guard(request, () -> withHeaders(request, Context.current().with(span)));
    try {
      ResponseHead response = next.send(traced);
      guard(0, Executors.callable(() -> end(span, response.code()), 0));
      return response;
    } catch (Throwable e) {
      guard(0, Executors.callable(() -> end(span, e), 0));
      throw e;
    }
  }

  private <R> R guard(R otherwise, Callable<R> code) {
    return crashes.call(() -> "The tracing of a request has failed", otherwise, code);
  }

  /** Begins the span of a request; empty if nothing is traced here. */
  private Optional<Span> begin(RequestHead request) {
    return Span.current().getSpanContext().isValid()
        ? Optional.of(
            tracer
                .spanBuilder(request.method() + " " + request.pathTemplate())
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("http.request.method", request.method())
                .setAttribute("http.request.resend_count", request.attempt() - 1)
                .setAttribute("server.address", request.url().getHost())
                .setAttribute("url.path", request.url().getPath())
                .setAttribute("url.template", request.pathTemplate())
                .startSpan())
        : Optional.empty();
  }

  private RequestHead withHeaders(RequestHead request, Context context) {
    Map<String, String> headers = new HashMap<>();
    propagator.inject(context, headers, (map, key, value) -> headers.put(key, value));
    RequestHead traced = request;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      traced = traced.withHeader(header.getKey(), header.getValue());
    }
    return traced;
  }

  private static void end(Span span, int code) {
    span.setAttribute("http.response.status_code", code);
    if (code >= 400) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }
}
