package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.http.ConnectionCutException;
import dev.clientgo.envtest.internal.http.FaultyBody;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.http.ResponsePause;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rules by which the embedded server fails requests, for tests of error handling.
 *
 * <pre>{@code
 * server.faults().on(request -> request.matches("list", "pods")).times(2).answer(503);
 * server.faults().on(request -> request.matches("watch", "pods")).cutAfter(100);
 * }</pre>
 *
 * <p>A rule applies to the next request that matches, or to more with {@link Rule#times} or {@link
 * Rule#always}. Each request uses up the first rule that matches it. For faults in a watch that is
 * already open, see {@link OpenWatch}. Safe for use by many threads.
 */
public final class Faults {

  private final Clock clock;
  private final ObjectStore store;
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final Set<ResponsePause> pauses = ConcurrentHashMap.newKeySet();

  Faults(Clock clock, ObjectStore store) {
    this.clock = clock;
    this.store = store;
  }

  /** The response of the server to a request that a rule matches. */
  private interface Fault {
    Response answer(Function<ApiRequest, Response> api, ApiRequest request)
        throws InterruptedException;
  }

  /**
   * Starts a rule for the requests that match. It takes effect when one of its methods names the
   * fault.
   */
  public Rule on(Predicate<ApiRequest> requests) {
    return new Rule(requireNonNull(requests, "requests"));
  }

  /**
   * Expires all resource versions before the current one, and their continue tokens, as a
   * compaction of etcd does. Open watches continue. A client that has the current version can watch
   * from there and need not list again: change an object first to expire that, too.
   */
  public void expireResourceVersions() {
    store.compact();
  }

  /** Removes all rules, and continues the requests that a rule delays. */
  public void clear() {
    rules.clear();
    pauses.forEach(ResponsePause::end);
  }

  /** Answers a request, with the fault of the first rule that matches it. */
  Response answer(Function<ApiRequest, Response> api, ApiRequest request)
      throws InterruptedException {
    for (Rule rule : rules) {
      if (rule.requests.test(request) && rule.use()) {
        return requireNonNull(rule.fault, "fault").answer(api, request);
      }
    }
    return api.apply(request);
  }

  private ResponsePause newPause() {
    ResponsePause pause = new ResponsePause(clock, pauses::remove);
    pauses.add(pause);
    return pause;
  }

  /** The fault for requests that match. One thread sets it up. */
  public final class Rule {

    private final Predicate<ApiRequest> requests;
    private @Nullable Fault fault;

    /** The number of requests that the rule still applies to; negative for all. */
    private final AtomicInteger left = new AtomicInteger(1);

    private Rule(Predicate<ApiRequest> requests) {
      this.requests = requests;
    }

    /** Applies the rule to that many requests. */
    public Rule times(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive, is " + count);
      }
      left.set(count);
      return this;
    }

    /** Applies the rule to all requests, until {@link Faults#clear}. */
    public Rule always() {
      left.set(-1);
      return this;
    }

    /** Answers with an API error of that HTTP status code. */
    public void answer(int code) {
      answer(
          ApiStatusException.genericServerResponse(
                  code, "", new GroupResource("", ""), "", "injected", 0, false)
              .status());
    }

    /** Answers with an error. */
    public void answer(Status status) {
      Response response = Response.of(new ApiStatusException(status));
      add((api, request) -> response);
    }

    /**
     * Answers 429 with a {@code Retry-After} in whole seconds, rounded up. The header is sent even
     * if it is 0; without it, a client would not retry.
     */
    public void answerTooManyRequests(Duration retryAfter) {
      int seconds = (int) retryAfter.plusSeconds(1).minusNanos(1).toSeconds();
      Response response =
          Response.of(
                  ApiStatusException.tooManyRequests(
                      "too many requests, please try again later", seconds))
              .with("Retry-After", Integer.toString(seconds));
      add((api, request) -> response);
    }

    /** Adds a warning to the response. */
    public void warn(String text) {
      String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
      add((api, request) -> api.apply(request).plus("Warning", "299 - \"" + quoted + '"'));
    }

    /** Delays the response. */
    public void delay(Duration delay) {
      requireNonNull(delay, "delay");
      add(
          (api, request) -> {
            ResponsePause pause = newPause();
            pause.await(delay);
            pause.end();
            return api.apply(request);
          });
    }

    /** Accepts the request and never answers. */
    public void ignore() {
      add((api, request) -> Response.silence(newPause()));
    }

    /** Sends that many bytes of the body and then nothing, with the connection open. */
    public void goSilentAfter(long bytes) {
      addBodyFault(
          bytes,
          pause ->
              sink -> {
                pause.await();
                throw new ConnectionCutException();
              });
    }

    /**
     * Sends that many bytes of the body and breaks the connection. With 0 bytes, the server sends
     * only the headers; a watch then breaks without waiting for an event.
     */
    public void cutAfter(long bytes) {
      addBodyFault(
          bytes,
          pause ->
              sink -> {
                throw new ConnectionCutException();
              });
    }

    /**
     * Sends that many bytes of the body, then a text that does not belong there, then the rest of
     * the body.
     */
    public void garbleAfter(long bytes, String text) {
      byte[] garbage = text.getBytes(UTF_8);
      addBodyFault(bytes, pause -> sink -> write(sink, garbage));
    }

    private static void write(Response.Sink sink, byte[] garbage)
        throws IOException, InterruptedException {
      sink.write(garbage);
      sink.flush();
    }

    private void addBodyFault(long bytes, Function<ResponsePause, Response.Fault> bodyFault) {
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes must not be negative, is " + bytes);
      }
      add(
          (api, request) -> {
            Response response = api.apply(request);
            ResponsePause pause = newPause();
            return FaultyBody.in(response, bytes, bodyFault.apply(pause), pause);
          });
    }

    private void add(Fault fault) {
      this.fault = fault;
      rules.add(this);
    }

    /** Counts a request; returns false if the rule is used up or removed. */
    private boolean use() {
      int before = left.getAndUpdate(count -> count > 0 ? count - 1 : count);
      boolean present = before == 1 ? rules.remove(this) : rules.contains(this);
      return present && before != 0;
    }
  }
}
