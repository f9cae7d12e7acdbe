package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.debug.KeyHistory;
import dev.clientgo.controller.internal.debug.ReconcileHistory;
import dev.clientgo.controller.internal.debug.RecorderLimits;
import dev.clientgo.controller.internal.debug.RequestKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Records the last reconciles of each request, with all causes that were merged into each of them:
 * which event of which object with the fields that changed, a resync, a retry, a {@code
 * requeueAfter}, an {@code enqueue}; whether the event shows a write of this process; the duration
 * and the result. It answers why an object is reconciled again and again.
 *
 * <pre>{@code
 * DebugRecorder recorder = DebugRecorder.create();
 * Manager manager = Manager.builder(client).debugRecorder(recorder).build();
 * ...
 * assertThat(foo.status().phase()).as(recorder.toString()).isEqualTo("Ready");
 * }</pre>
 *
 * <p>A manager with {@link ManagerBuilder#http} serves the records at {@code /debug/reconciles} as
 * JSON, and the history of one object at {@code
 * /debug/reconciles?controller=foo&namespace=shop&name=x}.
 *
 * <p><b>Memory</b> is bounded: by default 1000 requests, the least recently reconciled of which is
 * forgotten first; {@value #RECONCILES} reconciles of each; {@value #CAUSES} causes of each
 * reconcile, and a count of the others. The fields that changed are computed when they are read.
 * For that the recorder keeps both states of the last 1000 updates in the heap; of older updates it
 * shows only the versions.
 *
 * <p><b>Secrets.</b> The values of Secrets are never shown. Other objects may have passwords, too:
 * show the page to administrators only, or keep no states by {@link Builder#states states(0)}.
 *
 * <p>It takes about 0.4 µs for an event and its reconcile, which take about 40 µs in all, see
 * {@code docs/benchmarks/controller-runtime.md}. Without a recorder it is a check for null.
 *
 * <p>Safe for use by many threads.
 */
public final class DebugRecorder {

  private static final int RECONCILES = 10;
  private static final int CAUSES = 16;

  private final ReconcileHistory history;

  private DebugRecorder(Builder builder) {
    history =
        new ReconcileHistory(
            new RecorderLimits(builder.keys, RECONCILES, CAUSES, builder.states), Clock.system());
  }

  /** Returns a recorder with the default limits. */
  public static DebugRecorder create() {
    return builder().build();
  }

  /** Returns a builder of recorders with other limits. */
  public static Builder builder() {
    return new Builder();
  }

  ReconcileHistory history() {
    return history;
  }

  /**
   * Returns the histories of all requests: first those that were reconciled, the last one at the
   * end, then those that wait for their first reconcile.
   */
  public List<KeyHistory> histories() {
    return history.histories(key -> true, /* withChanges= */ true);
  }

  /**
   * Returns the history of a request; empty if it was never seen, or was forgotten.
   *
   * @param controller the name of the controller
   */
  public Optional<KeyHistory> history(String controller, Request request) {
    return history.history(new RequestKey(controller, request.objectName()));
  }

  /** Returns all histories in lines, for the message of a failed test. */
  @Override
  public String toString() {
    List<KeyHistory> all = histories();
    return all.isEmpty()
        ? "no reconcile is recorded"
        : all.stream().map(KeyHistory::toString).collect(Collectors.joining("\n"));
  }

  /** Builds a {@link DebugRecorder}. Not safe for use by many threads. */
  public static final class Builder {

    private int keys = 1000;
    private int states = 1000;

    private Builder() {}

    /** Sets how many requests, of all controllers, have a history. Default: 1000. */
    public Builder keys(int keys) {
      this.keys = atLeast(1, keys, "keys");
      return this;
    }

    /**
     * Sets of how many updates both states are kept, to tell the fields that changed. An old state
     * takes the heap that it had in the cache. Default: 1000; 0 for none.
     */
    public Builder states(int states) {
      this.states = atLeast(0, states, "states");
      return this;
    }

    private static int atLeast(int minimum, int value, String name) {
      if (value < minimum) {
        throw new IllegalArgumentException(name + " must be at least " + minimum + ": " + value);
      }
      return value;
    }

    /** Returns the recorder. */
    public DebugRecorder build() {
      return new DebugRecorder(this);
    }
  }
}
