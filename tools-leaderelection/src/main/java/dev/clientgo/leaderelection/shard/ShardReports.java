package dev.clientgo.leaderelection.shard;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.leaderelection.shard.MemberRequest.Answer;
import java.util.Collection;

/** Writes the log of one member. */
final class ShardReports {

  private static final System.Logger LOGGER = System.getLogger(ShardGroup.class.getName());

  /** The longest list of slots in a log line, in characters. The record has all of them. */
  private static final int SHOWN = 60;

  private final ShardSettings settings;

  /** The last failure or problem in a row, which is not logged as a warning again. */
  private String last = "";

  ShardReports(ShardSettings settings) {
    this.settings = settings;
  }

  void taken(Collection<Integer> slots) {
    log("takes", slots, "");
  }

  void left(Collection<Integer> slots, String reason) {
    log("no longer owns", slots, ": " + reason);
  }

  private void log(String verb, Collection<Integer> slots, String end) {
    LOGGER.log(
        INFO,
        "Shard group. group={0} identity={1}: {2} {3} of {4} slots ({5}){6}",
        settings.group(),
        settings.identity(),
        verb,
        slots.size(),
        settings.slots().count(),
        shown(slots),
        end);
  }

  private static String shown(Collection<Integer> slots) {
    String text = Slots.text(slots);
    return text.length() <= SHOWN ? text : text.substring(0, text.lastIndexOf(',', SHOWN)) + ",…";
  }

  void failed(MemberRequest request, Answer.Failed answer) {
    String failure = answer.error().toString();
    boolean forbidden =
        ApiStatusException.find(answer.error()).filter(ApiStatusException::isForbidden).isPresent();
    LOGGER.log(
        failure.equals(last) ? DEBUG : WARNING,
        "A request of the shard group has failed. group={0} identity={1} request={2} error={3}{4}",
        settings.group(),
        settings.identity(),
        request.getClass().getSimpleName(),
        failure,
        forbidden
            ? "; a member needs get, list, watch, create, update and delete on leases of"
                + " coordination.k8s.io"
            : "");
    last = failure;
  }

  void problem(String text) {
    LOGGER.log(text.equals(last) ? DEBUG : WARNING, text);
    last = text;
  }

  /** Logs that a listener has thrown. */
  void listenerFailed(RuntimeException error) {
    LOGGER.log(
        WARNING, "A listener of the shard group has failed. group=" + settings.group(), error);
  }

  void leftBehind(Collection<String> threads) {
    LOGGER.log(
        WARNING,
        "Threads of the shard group did not end when it was closed. group={0} threads={1}",
        settings.group(),
        threads);
  }
}
