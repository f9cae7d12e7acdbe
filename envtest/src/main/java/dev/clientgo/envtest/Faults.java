package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.http.ConnectionCutException;
import dev.clientgo.envtest.internal.http.FaultyBody;
import dev.clientgo.envtest.internal.http.FaultyBody.Accident;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.http.ResponsePause;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong, on request.
 *
 * <pre>{@code
 * server.faults().when(request -> request.is("list", "pods")).times(2).answer(503);
 * server.faults().when(request -> request.is("watch", "pods")).cutAfter(100);
 * }</pre>
 *
 * <p>A rule is about the next requests that fit, one if not said otherwise; the first rule that
 * fits a request is used up by it. What is wrong with a watch that is open already is asked of
 * {@link OpenWatch}. Safe for use by many threads.
 */
public final class Faults {

  private final ReentrantLock lock = new ReentrantLock();
  private final Clock clock;
  private final ObjectStore store;

  @GuardedBy("lock")
  private final List<Rule> rules = new ArrayList<>();

  @GuardedBy("lock")
  private final Set<ResponsePause> pauses = new HashSet<>();

  Faults(Clock clock, ObjectStore store) {
    this.clock = clock;
    this.store = store;
  }

  /** What the server does with a request instead of, or besides, answering it. */
  private interface Effect {
    Response answer(Function<ApiRequest, Response> api, ApiRequest request)
        throws InterruptedException;
  }

  /** Begins a rule about the requests that fit; it has no effect before it says what happens. */
  public Rule when(Predicate<ApiRequest> requests) {
    return new Rule(requireNonNull(requests, "requests"));
  }

  /**
   * Lets all resource versions and continue tokens handed out so far expire, as the compaction of
   * etcd does. Watches that are open go on.
   */
  public void expireResourceVersions() {
    store.compact();
  }

  /** Takes back all rules, and lets go on who waits because of one. */
  public void clear() {
    List<ResponsePause> waiting;
    lock.lock();
    try {
      rules.clear();
      waiting = List.copyOf(pauses);
    } finally {
      lock.unlock();
    }
    waiting.forEach(ResponsePause::end);
  }

  /** Answers a request, with what is to go wrong. */
  Response answer(Function<ApiRequest, Response> api, ApiRequest request)
      throws InterruptedException {
    Effect effect = take(request);
    return effect == null ? api.apply(request) : effect.answer(api, request);
  }

  private @Nullable Effect take(ApiRequest request) {
    for (Rule rule : rulesNow()) {
      if (rule.requests.test(request) && useUp(rule)) {
        return rule.effect;
      }
    }
    return null;
  }

  private List<Rule> rulesNow() {
    lock.lock();
    try {
      return List.copyOf(rules);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the rule is still there, and counts it down. */
  private boolean useUp(Rule rule) {
    lock.lock();
    try {
      if (!rules.contains(rule)) {
        return false;
      }
      if (rule.left > 0 && --rule.left == 0) {
        rules.remove(rule);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void add(Rule rule) {
    lock.lock();
    try {
      rules.add(rule);
    } finally {
      lock.unlock();
    }
  }

  private ResponsePause newPause() {
    ResponsePause pause = new ResponsePause(this::forget);
    lock.lock();
    try {
      pauses.add(pause);
    } finally {
      lock.unlock();
    }
    return pause;
  }

  private void forget(ResponsePause pause) {
    lock.lock();
    try {
      pauses.remove(pause);
    } finally {
      lock.unlock();
    }
  }

  /** What happens to requests that fit. Set up by one thread. */
  public final class Rule {

    private final Predicate<ApiRequest> requests;
    private @Nullable Effect effect;
    private int left = 1;

    private Rule(Predicate<ApiRequest> requests) {
      this.requests = requests;
    }

    /** Makes the rule one about so many requests. */
    public Rule times(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive, is " + count);
      }
      left = count;
      return this;
    }

    /** Makes the rule one about all requests, until {@link Faults#clear}. */
    public Rule always() {
      left = -1;
      return this;
    }

    /** Answers with an error of that HTTP status code, in the words of the API. */
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
     * Answers 429, with a {@code Retry-After} in whole seconds, rounded up. It is there even if it
     * is 0: without it, a client would not try again.
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

    /** Adds a warning to the answer. */
    public void warn(String text) {
      String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
      add((api, request) -> api.apply(request).plus("Warning", "299 - \"" + quoted + '"'));
    }

    /** Answers later. */
    public void delay(Duration delay) {
      requireNonNull(delay, "delay");
      add(
          (api, request) -> {
            ResponsePause pause = newPause();
            pause.await(clock, delay);
            pause.end();
            return api.apply(request);
          });
    }

    /** Takes the request and never answers. */
    public void ignore() {
      add((api, request) -> Response.silence(newPause()));
    }

    /** Sends so many bytes of the body, and then nothing more, with the connection open. */
    public void goSilentAfter(long bytes) {
      addAccident(
          bytes,
          pause ->
              sink -> {
                pause.await();
                throw new ConnectionCutException();
              });
    }

    /**
     * Sends so many bytes of the body and breaks the connection. If they are none, the headers are
     * sent alone, and a watch need have no event for that.
     */
    public void cutAfter(long bytes) {
      addAccident(
          bytes,
          pause ->
              sink -> {
                throw new ConnectionCutException();
              });
    }

    /** Sends so many bytes of the body, then a text that does not belong there, then the rest. */
    public void garbleAfter(long bytes, String text) {
      byte[] garbage = text.getBytes(UTF_8);
      addAccident(bytes, pause -> sink -> write(sink, garbage));
    }

    private static void write(Response.Sink sink, byte[] garbage)
        throws IOException, InterruptedException {
      sink.write(garbage);
      sink.flush();
    }

    private void addAccident(long bytes, Function<ResponsePause, Accident> accident) {
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes must not be negative, is " + bytes);
      }
      add(
          (api, request) -> {
            Response response = api.apply(request);
            ResponsePause pause = newPause();
            return response.withFault(
                new FaultyBody(response.body(), bytes, accident.apply(pause), pause));
          });
    }

    private void add(Effect effect) {
      this.effect = effect;
      Faults.this.add(this);
    }
  }
}
