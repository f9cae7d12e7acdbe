package dev.clientgo.leaderelection.shard;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.function.Consumer;

/** Writes the log of one member. */
final class ShardReports {

  static final System.Logger LOG = System.getLogger("dev.clientgo.leaderelection.shard.ShardGroup");

  /** After which time a failure that persists is logged again. */
  static final Duration REPEAT = Duration.ofMinutes(1);

  /** The longest list of slots in a log line, in characters. The record has all of them. */
  private static final int SHOWN = 60;

  private final ShardSettings settings;
  private final Clock clock;
  private final Consumer<Runnable> later;

  /** The last failure or problem, which is not logged again for {@link #REPEAT}. */
  private String last = "";

  private long lastAt;

  /**
   * Creates an instance that has logged nothing.
   *
   * @param later runs the calls of the logger in order, in a thread that a slow logger may delay
   */
  ShardReports(ShardSettings settings, Clock clock, Consumer<Runnable> later) {
    this.settings = settings;
    this.clock = clock;
    this.later = later;
  }

  void taken(Collection<Integer> slots) {
    log("Slots were taken: ", slots, "");
  }

  void left(Collection<Integer> slots, String reason) {
    log("Slots were left: ", slots, " reason=" + reason);
  }

  private void log(String sentence, Collection<Integer> slots, String end) {
    String count = " count=" + slots.size() + " of=" + settings.slots().count();
    String line = sentence + about() + count + " slots=" + shown(slots) + end;
    later.accept(() -> log(INFO, line));
  }

  /** Survives a logger that throws. No caller holds the lock of the driver. */
  private static void log(Level level, String text) {
    try {
      LOG.log(level, text);
    } catch (Throwable e) {
      CrashLog.log(LOG, ERROR, "The log of a shard group has failed", e);
    }
  }

  private String about() {
    return "group=" + settings.group() + " identity=" + settings.identity();
  }

  private static String shown(Collection<Integer> slots) {
    String text = Slots.text(slots);
    return text.length() <= SHOWN ? text : text.substring(0, text.lastIndexOf(',', SHOWN)) + ",…";
  }

  void failed(LeaseRequest request, Answer.Failed answer) {
    String verb = request.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    problem("A request of " + member() + " has failed: " + verb + ": " + text(answer.error()));
  }

  void watchFailed(Throwable error) {
    problem(watchProblem(error));
  }

  String watchProblem(Throwable error) {
    return member() + " cannot watch the Leases of its group: " + text(error);
  }

  /**
   * Returns why the member owns no slots.
   *
   * @param isMember whether it has renewed its Lease in time
   */
  synchronized String absence(boolean isMember) {
    return isMember
        ? member() + " waits until this process is ready, or leaves"
        : member() + " could not write its Lease in time" + (last.isEmpty() ? "" : ": " + last);
  }

  private String member() {
    return "the member \"" + settings.identity() + "\" of the shard group " + settings.group();
  }

  /** Returns the text of an error, and what a person must grant. */
  private String text(Throwable error) {
    boolean forbidden =
        ApiStatusException.find(error).filter(ApiStatusException::isForbidden).isPresent();
    return CrashLog.text(error)
        + (forbidden
            ? "; grant the verbs get, list, watch, create, update and delete on leases of"
                + " coordination.k8s.io in the namespace "
                + settings.group().namespace()
            : "");
  }

  /** Logs what a person must put right, if it is new, and then once in a while. */
  void problem(String text) {
    if (isNews(text)) {
      later.accept(() -> log(WARNING, text));
    }
  }

  private synchronized boolean isNews(String text) {
    long now = clock.nanoTime();
    if (text.equals(last) && now - lastAt < REPEAT.toNanos()) {
      return false;
    }
    last = text;
    lastAt = now;
    return true;
  }

  void leftBehind(Collection<String> threads) {
    log(WARNING, "Threads of the shard group did not end: " + about() + " threads=" + threads);
  }
}
