package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A function that answers requests instead of the embedded server, see {@link Reactors}.
 *
 * <p>The server calls it on the thread of each request, so it must be safe for use by many threads.
 * It may throw an {@link dev.clientgo.apimachinery.status.ApiStatusException}, which the client
 * gets. If it throws anything else, such as the error of a failed assertion, the client gets a 500
 * with its text.
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
