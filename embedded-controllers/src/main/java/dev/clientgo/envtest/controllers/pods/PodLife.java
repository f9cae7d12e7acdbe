package dev.clientgo.envtest.controllers.pods;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How a pod runs that no machine runs: when its containers start, become ready and end. All
 * containers of the pod do the same.
 *
 * <pre>{@code
 * PodLife.runs().readyAfter(Duration.ofSeconds(5));
 * PodLife.exits(1).after(Duration.ofSeconds(2)); // Restarts, if its policy says so.
 * PodLife.exits(1, 1).thenRuns(); // Crashes twice, then works.
 * }</pre>
 *
 * <p>All durations are measured by the clock of the controllers. Immutable.
 */
public final class PodLife {

  /** How the life begins. */
  enum Beginning {
    STARTS,
    NO_NODE,
    NO_IMAGE,
    NOT_PLAYED
  }

  private final Beginning beginning;
  private final Duration startDelay;
  private final Optional<Duration> readyDelay;
  private final List<Integer> exitCodes;
  private final boolean runsAtLast;
  private final Duration runTime;
  private final Duration stopDelay;

  private PodLife(
      Beginning beginning,
      Duration startDelay,
      Optional<Duration> readyDelay,
      List<Integer> exitCodes,
      boolean runsAtLast,
      Duration runTime,
      Duration stopDelay) {
    this.beginning = beginning;
    this.startDelay = startDelay;
    this.readyDelay = readyDelay;
    this.exitCodes = exitCodes;
    this.runsAtLast = runsAtLast;
    this.runTime = runTime;
    this.stopDelay = stopDelay;
  }

  /* --------------- Making --------------- */

  /** Returns a life that is running and ready at once, until the pod is deleted. */
  public static PodLife runs() {
    return of(Beginning.STARTS, List.of());
  }

  /**
   * Returns a life whose containers end at once, by default, with an exit code. The restart policy
   * of the pod decides whether they start again, as on a real node: the first time at once, then
   * after 10 s, 20 s and so on up to 5 minutes.
   *
   * @param code the exit code of the first run
   * @param next those of the following runs; the last one counts for all that follow
   */
  public static PodLife exits(int code, int... next) {
    List<Integer> codes = Stream.concat(Stream.of(code), IntStream.of(next).boxed()).toList();
    return of(Beginning.STARTS, codes);
  }

  /** Returns the life of a pod that no node takes: it stays {@code Pending}. */
  public static PodLife unschedulable() {
    return of(Beginning.NO_NODE, List.of());
  }

  /** Returns the life of a pod whose image cannot be pulled: {@code ImagePullBackOff}. */
  public static PodLife missingImage() {
    return of(Beginning.NO_IMAGE, List.of());
  }

  /** Returns the life of a pod whose status the test writes; only its deletion is played. */
  public static PodLife notPlayed() {
    return of(Beginning.NOT_PLAYED, List.of());
  }

  private static PodLife of(Beginning beginning, List<Integer> exitCodes) {
    return new PodLife(
        beginning,
        Duration.ZERO,
        Optional.of(Duration.ZERO),
        exitCodes,
        exitCodes.isEmpty(),
        Duration.ZERO,
        Duration.ZERO);
  }

  /** Returns this life with a delay between scheduling and running, as for a large image. */
  public PodLife startsAfter(Duration delay) {
    return new PodLife(
        beginning, notNegative(delay), readyDelay, exitCodes, runsAtLast, runTime, stopDelay);
  }

  /** Returns this life with a delay between each start of the containers and their readiness. */
  public PodLife readyAfter(Duration delay) {
    return ready(Optional.of(notNegative(delay)));
  }

  /** Returns this life, whose containers run but never become ready. */
  public PodLife neverReady() {
    return ready(Optional.empty());
  }

  private PodLife ready(Optional<Duration> delay) {
    return new PodLife(beginning, startDelay, delay, exitCodes, runsAtLast, runTime, stopDelay);
  }

  /**
   * Returns this life, in which each run takes a time before it exits.
   *
   * @throws IllegalStateException if the containers do not exit
   */
  public PodLife after(Duration time) {
    requireExits("after");
    return new PodLife(
        beginning, startDelay, readyDelay, exitCodes, runsAtLast, notNegative(time), stopDelay);
  }

  /**
   * Returns this life, in which the containers run without end after the exits that it names.
   *
   * @throws IllegalStateException if the containers do not exit
   */
  public PodLife thenRuns() {
    requireExits("thenRuns");
    return new PodLife(beginning, startDelay, readyDelay, exitCodes, true, runTime, stopDelay);
  }

  /**
   * Returns this life with a time that the containers need to stop after the pod was deleted. They
   * are killed at the end of the pod's grace period. Default: zero.
   */
  public PodLife stopsAfter(Duration time) {
    return new PodLife(
        beginning, startDelay, readyDelay, exitCodes, runsAtLast, runTime, notNegative(time));
  }

  private void requireExits(String method) {
    if (exitCodes.isEmpty()) {
      throw new IllegalStateException(
          method + " is for a life that exits: begin with PodLife.exits(code)");
    }
  }

  private static Duration notNegative(Duration duration) {
    if (requireNonNull(duration, "duration").isNegative()) {
      throw new IllegalArgumentException("the duration must not be negative: " + duration);
    }
    return duration;
  }

  /* --------------- Reading --------------- */

  /** Returns whether a node takes the pod. */
  public boolean isSchedulable() {
    return beginning != Beginning.NO_NODE;
  }

  /** Returns whether the controllers schedule the pod and write its status. */
  public boolean isPlayed() {
    return beginning != Beginning.NOT_PLAYED;
  }

  /** Returns whether the image can be pulled. */
  public boolean hasImage() {
    return beginning != Beginning.NO_IMAGE;
  }

  /** Returns the time between scheduling and running. */
  public Duration startDelay() {
    return startDelay;
  }

  /** Returns the time between a start and readiness, empty for never. */
  public Optional<Duration> readyDelay() {
    return readyDelay;
  }

  /**
   * Returns the exit code of a run, empty if that one never ends.
   *
   * @param run the number of the run, from 0
   */
  public OptionalInt exitCode(int run) {
    if (run >= exitCodes.size() && runsAtLast) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(exitCodes.get(Math.min(run, exitCodes.size() - 1)));
  }

  /** Returns how long a run takes that exits. */
  public Duration runTime() {
    return runTime;
  }

  /** Returns how long the containers need to stop. */
  public Duration stopDelay() {
    return stopDelay;
  }

  @Override
  public String toString() {
    return "PodLife["
        + beginning
        + ", starts after "
        + startDelay
        + ", ready after "
        + readyDelay.map(Duration::toString).orElse("never")
        + (exitCodes.isEmpty() ? "" : ", exits with " + exitCodes + " after " + runTime)
        + (runsAtLast ? ", runs" : "")
        + ", stops after "
        + stopDelay
        + "]";
  }
}
