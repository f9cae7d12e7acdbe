package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.verbs.ReactionHandler;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The functions that answer requests instead of the embedded server, in their order.
 *
 * <pre>{@code
 * server.reactors().prepend("create", "pods", request -> Reaction.error(409));
 * server.reactors().prepend("get", "deployments/scale", once(request -> Reaction.object(scale)));
 * }</pre>
 *
 * <p>A request goes to the first reactor for its verb and resource; {@link Reaction#pass} sends it
 * on to the next one, and after the last one to the server. Reactors see a request after it has
 * been recorded and its user has been checked, and before validation and admission. {@link Faults}
 * apply before reactors, so a rule can delay or cut what a reactor answers. Safe for use by many
 * threads.
 *
 * <p>Corresponds to {@code testing.Fake} of client-go.
 */
public final class Reactors {

  /**
   * A function that answers requests instead of the embedded server.
   *
   * <p>The server calls it on the thread of each request, so it must be safe for use by many
   * threads. It may throw an {@link dev.clientgo.apimachinery.status.ApiStatusException}, which the
   * client gets. If it throws anything else, such as the error of a failed assertion, the client
   * gets a 500 with its text.
   *
   * <p>Corresponds to {@code ReactionFunc} and {@code WatchReactionFunc} of client-go's {@code
   * testing} package.
   */
  @FunctionalInterface
  public interface Reactor {

    /** Returns the reaction to a request. */
    Reaction react(ApiRequest request);

    /** Returns a reactor that reacts to one request and passes all later ones on. */
    static Reactor once(Reactor reactor) {
      return times(1, reactor);
    }

    /** Returns a reactor that reacts to that many requests and passes all later ones on. */
    static Reactor times(int count, Reactor reactor) {
      requireNonNull(reactor, "reactor");
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive, is " + count);
      }
      AtomicInteger left = new AtomicInteger(count);
      return request ->
          left.getAndUpdate(n -> Math.max(0, n - 1)) > 0 ? reactor.react(request) : Reaction.pass();
    }

    /**
     * Returns a reactor that reacts to the first request with the first reaction, and so on, and
     * passes all later requests on.
     */
    static Reactor inTurn(Reaction... reactions) {
      Reaction[] turns = reactions.clone();
      AtomicInteger next = new AtomicInteger();
      return request -> {
        int turn = next.getAndUpdate(n -> Math.min(turns.length, n + 1));
        return turn < turns.length ? turns[turn] : Reaction.pass();
      };
    }
  }

  /** Removes a reactor at its close. Does nothing the second time. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** A reactor in its place. Compared by identity, since one reactor may be there twice. */
  private static final class Entry {
    final String verb;
    final String resource;
    final Reactor reactor;

    Entry(String verb, String resource, Reactor reactor) {
      this.verb = requireNonNull(verb, "verb");
      this.resource = requireNonNull(resource, "resource");
      this.reactor = requireNonNull(reactor, "reactor");
    }
  }

  private final List<Entry> chain = new CopyOnWriteArrayList<>();
  private final ReactionHandler handler;
  private final Function<ApiRequest, Response> api;

  Reactors(ReactionHandler handler, Function<ApiRequest, Response> api) {
    this.handler = handler;
    this.api = api;
  }

  /**
   * Adds a reactor before the existing ones.
   *
   * @param verb the verb, such as {@code create}; {@code *} for all
   * @param resource the resource, as for {@link ApiRequest#matches}, such as {@code pods}, {@code
   *     pods/status} or {@code deployments.apps}; {@code *} for all
   */
  public Registration prepend(String verb, String resource, Reactor reactor) {
    Entry entry = new Entry(verb, resource, reactor);
    chain.add(0, entry);
    return () -> chain.remove(entry);
  }

  /**
   * Adds a reactor after the existing ones, but before the server.
   *
   * @param verb the verb, such as {@code create}; {@code *} for all
   * @param resource the resource, as for {@link #prepend}
   */
  public Registration append(String verb, String resource, Reactor reactor) {
    Entry entry = new Entry(verb, resource, reactor);
    chain.add(entry);
    return () -> chain.remove(entry);
  }

  /** Removes all reactors. */
  public void clear() {
    chain.clear();
  }

  /** Answers a request by the first reactor that does not pass it on, or by the server. */
  Response answer(ApiRequest request) {
    return next(request, chain.iterator());
  }

  private Response next(ApiRequest request, Iterator<Entry> rest) {
    while (rest.hasNext()) {
      Entry entry = rest.next();
      if (request.matches(entry.verb, entry.resource)) {
        return react(entry.reactor, request).answer(request, handler, () -> next(request, rest));
      }
    }
    return api.apply(request);
  }

  private static Reaction react(Reactor reactor, ApiRequest request) {
    try {
      return requireNonNull(reactor.react(request), "a reactor has returned null");
    } catch (AssertionError e) {
      // It would end the thread of the connection, and the test would not learn why.
      return Reaction.error(ApiStatusException.internalError(String.valueOf(e.getMessage())));
    }
  }
}
