package dev.clientgo.simulation.plan;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * All that one run depends on: the seed of its schedule and its faults. Immutable. The text form,
 * such as {@code 17+crash-after-write:3}, replays the run: {@code ControllerSimulation.replay}.
 *
 * @param seed decides which thread runs next and how long each request takes; 0 for a run in which
 *     all requests take the same time and threads run in turn
 * @param faults the faults
 */
public record Plan(long seed, List<Fault> faults) {

  public Plan {
    faults = List.copyOf(faults);
  }

  /** Returns a plan. */
  public static Plan of(long seed, Fault... faults) {
    return new Plan(seed, List.of(faults));
  }

  /**
   * Parses the text form.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Plan parse(String text) {
    List<String> parts = new ArrayList<>(List.of(text.trim().split("\\+", -1)));
    try {
      long seed = Long.parseLong(parts.remove(0));
      return new Plan(seed, parts.stream().map(Fault::parse).toList());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a plan: \"" + text + "\"; one looks like 17+crash-after-write:3", e);
    }
  }

  /** Returns whether the plan has a fault of a kind. */
  public boolean has(Fault.Kind kind) {
    return faults.stream().anyMatch(fault -> fault.kind() == kind);
  }

  /** Returns the plan without one of its faults. */
  public Plan without(int index) {
    List<Fault> fewer = new ArrayList<>(faults);
    fewer.remove(index);
    return new Plan(seed, fewer);
  }

  @Override
  public String toString() {
    return seed + faults.stream().map(fault -> "+" + fault).collect(Collectors.joining());
  }

  /**
   * One fault of a simulation, which happens once. Immutable. The text form is {@code
   * crash-after-write:3}.
   *
   * @param kind what happens
   * @param at to which write, request, event, reconcile, call, step or process it happens, from 1;
   *     counted over all processes of the controller
   * @param view for {@link Kind#STALE_RESTART} and {@link Kind#OLDER_SERVER} the number of the
   *     change that the process sees as the latest; for {@link Kind#ORDER} which thread runs next;
   *     0 otherwise
   */
  public record Fault(Kind kind, int at, int view) {

    /** The kinds of faults. */
    public enum Kind {
      /**
       * The first n steps happen before the controller starts. The state must be the one to which
       * it comes if it sees them one by one. If a step fails without the controller, nothing is
       * compared.
       */
      FRESH_CLUSTER,
      /**
       * After the n-th step, the user deletes all that the steps have created. The cluster must be
       * as it was before the first step.
       */
      DELETE_EVERYTHING,
      /** After the n-th step, the user deletes each object of the controller: it must come back. */
      DELETE_CHILDREN,
      /**
       * After the n-th step, the user edits what the controller has written into its objects: the
       * edit must be undone.
       */
      EDIT_CHILDREN,
      /** After the n-th step, time passes until all timers were due: nothing must change. */
      AWAIT_TIMERS,
      /** The next step begins when the n-th write has taken place, before its answer arrives. */
      EARLY_STEP,
      /** The process dies just before its n-th write is sent. */
      CRASH_BEFORE_WRITE,
      /** The process dies after its n-th write, before it gets the answer. */
      CRASH_AFTER_WRITE,
      /**
       * The n-th event never arrives. The watch expires just before it, and the process lists again
       * only when the object has changed once more.
       */
      UNSEEN_EVENT,
      /**
       * The process dies after the n-th step, when all is at rest. The lists of the next process
       * show an older state, and events reach it 10 s late.
       */
      STALE_RESTART,
      /** The n-th write, an update or patch, is answered with 409. */
      CONFLICT,
      /** The n-th write takes place, but its answer is lost; the client times out after 10 s. */
      LOST_ANSWER,
      /** An admission webhook refuses the n-th write with 403. */
      REFUSED_WRITE,
      /** The connection of the n-th request is refused. */
      CONNECTION_REFUSED,
      /** The n-th request is answered with 500. */
      SERVER_ERROR,
      /** The n-th request is answered with 429 and {@code Retry-After: 1}. */
      TOO_MANY_REQUESTS,
      /** The n-th request takes 30 s. */
      SLOW_REQUEST,
      /** The process cannot reach the server for a minute from its n-th write on. */
      PARTITION,
      /**
       * The leader cannot renew its lease from its n-th write on, and gets the answer to this write
       * only when another process has taken the lease, or after 10 minutes. Its other requests and
       * its events pass. Happens only to a process that holds a lease.
       */
      LEADER_CHANGE,
      /** The watch breaks just before the n-th event. */
      WATCH_CUT,
      /** The version of the watch expires just before the n-th event. */
      EXPIRED,
      /** The n-th event arrives 30 s late. */
      LATE_EVENT,
      /** The key of the n-th reconcile is delivered a second time, and events are late by 1 s. */
      REPEATED_RECONCILE,
      /** The n-th reconcile begins, and continues 30 s later. */
      SLOW_HANDLER,
      /**
       * The process is asked to stop at its n-th write, as by SIGTERM: what it has given to {@code
       * SimulatedProcess.onStop} runs for up to 30 s. Then a new process starts. Happens only to a
       * process that does something when it stops.
       */
      TERMINATE,
      /**
       * After the n-th step, when all is at rest, the running process gets a server that is behind.
       * Its watches expire, and events reach it 10 s late. Its next lists that allow any version,
       * by {@code resourceVersion=0}, show an older state; others do not.
       */
      OLDER_SERVER,
      /** The clock of the n-th process runs 20 % fast. */
      FAST_CLOCK,
      /** The clock of the n-th process is 10 minutes ahead. */
      CLOCK_AHEAD,
      /**
       * One more process of the controller starts at the n-th write. If the controller works in
       * shards, some of them move to that process.
       */
      SHARD_MOVES,
      /**
       * The n-th time after the first step begins that several threads are ready, one that waits
       * longer runs next. The second number is its place among them.
       */
      ORDER,
      /** The n-th call of an external service fails. */
      CALL_FAILS,
      /** The n-th call of an external service takes place, but its answer is lost. */
      CALL_LOST_ANSWER,
      /** The n-th call of an external service takes 30 s. */
      SLOW_CALL,
      /** The process dies after the n-th call of an external service, before it gets the answer. */
      CRASH_AFTER_CALL;

      String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }

    public Fault {
      requireNonNull(kind, "kind");
      if (at < 1 || view < 0) {
        throw new IllegalArgumentException("faults are counted from 1: " + kind + " at " + at);
      }
    }

    /** Returns a fault. */
    public static Fault of(Kind kind, int at) {
      return new Fault(kind, at, 0);
    }

    /**
     * Parses the text form.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Fault parse(String text) {
      String[] parts = text.split("[:/]", -1);
      for (Kind kind : Kind.values()) {
        if (kind.text().equals(parts[0]) && parts.length > 1 && parts.length < 4) {
          try {
            int view = parts.length == 3 ? Integer.parseInt(parts[2]) : 0;
            return new Fault(kind, Integer.parseInt(parts[1]), view);
          } catch (NumberFormatException e) {
            break;
          }
        }
      }
      throw new IllegalArgumentException(
          "not a fault: \"" + text + "\"; one looks like crash-after-write:3");
    }

    @Override
    public String toString() {
      return kind.text() + ":" + at + (view == 0 ? "" : "/" + view);
    }
  }
}
