package dev.clientgo.controller.internal.incident;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.rest.config.RequestGuard;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Answers a reconcile from its recording, and compares what it writes. A read gets the next answer
 * to the same question, or the last one again. Safe for use by many threads.
 */
public final class ReplayTape implements Tape {

  /** Ends a reconcile at its first difference; an error, so that few reconcilers catch it. */
  public static final class Divergence extends Error {
    private static final long serialVersionUID = 1;

    Divergence(String message) {
      super(message);
    }
  }

  private static final Long NO_RESPONSE = 0L;

  private final IncidentFile file;
  private final Map<String, Object> reconcile;
  private final TreeComparison comparison;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, ArrayDeque<Map<String, Object>>> reads = new HashMap<>();

  /** The writes that are still to come. */
  private final List<Map<String, Object>> writes = new ArrayList<>();

  private int written;
  private @Nullable Divergence first;

  /** Creates the tape of a reconcile of a file. */
  public ReplayTape(IncidentFile file, Map<String, Object> reconcile, TreeComparison comparison) {
    this.file = file;
    this.reconcile = reconcile;
    this.comparison = comparison;
    for (Object each : (List<?>) requireNonNull(reconcile.get("calls"))) {
      Map<String, Object> call = IncidentFile.asMap(each);
      String ask = String.valueOf(call.get("ask"));
      boolean request = call.containsKey("code");
      if (call.containsKey("wanted")
          || (request && RequestGuard.isWrite(ask.substring(0, ask.indexOf(' '))))) {
        writes.add(call);
      } else {
        reads.computeIfAbsent(ask, key -> new ArrayDeque<>()).add(call);
      }
    }
  }

  // ---- answers

  @Override
  public boolean isReplay() {
    return true;
  }

  @Override
  public <T extends KubernetesObject, E extends Exception> List<T> objects(
      String verb, ResourceType<T> type, Object subject, Live<List<T>, E> live) throws E {
    Map<String, Object> call = read(IncidentWriter.ask(verb, type, subject));
    List<T> objects = new ArrayList<>();
    for (Object number : (List<?>) requireNonNull(call.get("objects"))) {
      byte[] json = JsonWriter.toBytes(JsonCodecs.TREE, file.object(number));
      objects.add(JsonReader.fromBytes(type.codec(), json));
    }
    return List.copyOf(objects);
  }

  @Override
  public <E extends Exception> String value(String verb, Object subject, Live<String, E> live)
      throws E {
    String ask = IncidentWriter.ask(verb, null, subject);
    Map<String, Object> call =
        subject instanceof Wanted wanted
            ? write(ask, IncidentWriter.tree(wanted.type(), wanted.configuration()))
            : read(ask);
    return (String) requireNonNull(call.get("value"));
  }

  /** Returns the answer to a request to the server. */
  Map<String, Object> send(String method, String target, byte[] body) throws IOException {
    String ask = method + " " + target;
    Object sent = body.length == 0 ? null : JsonCodecs.TREE.read(JsonReader.of(body));
    Map<String, Object> call = RequestGuard.isWrite(method) ? write(ask, sent) : read(ask);
    if (call.get("error") instanceof Map<?, ?> error && NO_RESPONSE.equals(call.get("code"))) {
      String message = String.valueOf(error.get("message"));
      throw switch (String.valueOf(error.get("kind"))) {
        case "CONNECTION_REFUSED" -> new ConnectException(message);
        case "CONNECTION_LOST" -> new SocketException(message);
        case "TIMEOUT" -> new SocketTimeoutException(message);
        case "UNKNOWN_HOST" -> new UnknownHostException(message);
        default -> new IOException(message);
      };
    }
    return call;
  }

  private Map<String, Object> read(String ask) {
    lock.lock();
    try {
      throwFirst();
      ArrayDeque<Map<String, Object>> answers = reads.get(ask);
      if (answers == null) {
        throw diverge("it reads what the recording does not have: " + ask);
      }
      return checked(answers.size() > 1 ? answers.removeFirst() : answers.getFirst());
    } finally {
      lock.unlock();
    }
  }

  private Map<String, Object> write(String ask, @Nullable Object body) {
    lock.lock();
    try {
      throwFirst();
      written++;
      String difference =
          "write %d is %s%s, and the recording has no more".formatted(written, ask, text(body));
      boolean anyOrder = Boolean.TRUE.equals(reconcile.get("manyThreads"));
      for (int i = 0; i < (anyOrder ? writes.size() : Math.min(1, writes.size())); i++) {
        Optional<String> found = difference(writes.get(i), ask, body);
        if (found.isEmpty()) {
          return checked(writes.remove(i));
        }
        difference = i == 0 ? found.get() : difference;
      }
      throw diverge(difference);
    } finally {
      lock.unlock();
    }
  }

  private Optional<String> difference(Map<String, Object> next, String ask, @Nullable Object body) {
    Object wanted = next.get("wanted");
    Object recorded = wanted == null ? next.get("sent") : file.object(wanted);
    String was = "write " + written + " was " + next.get("ask");
    return ask.equals(next.get("ask"))
        ? comparison.difference("", recorded, body).map(found -> was + " with " + found)
        : Optional.of(was + text(recorded) + ", is " + ask + text(body));
  }

  private static String text(@Nullable Object body) {
    return body == null ? "" : " " + TreeComparison.text(body);
  }

  /** Throws the error of a call again, unless it is that of a request. */
  private static Map<String, Object> checked(Map<String, Object> call) {
    boolean response = !NO_RESPONSE.equals(call.getOrDefault("code", NO_RESPONSE));
    if (!(call.get("error") instanceof Map<?, ?> error) || response || error.containsKey("kind")) {
      return call;
    }
    String message = String.valueOf(error.get("message"));
    String name = String.valueOf(error.get("class"));
    if (error.get("status") instanceof Map<?, ?> status) {
      byte[] json = JsonWriter.toBytes(JsonCodecs.TREE, status);
      throw new ApiStatusException(JsonReader.fromBytes(Status.CODEC, json));
    } else if (name.equals(IllegalArgumentException.class.getName())) {
      throw new IllegalArgumentException(message);
    }
    throw new IllegalStateException(RECORDED + name + ": " + message);
  }

  /** How the message of an error begins that stands for one of another class. */
  public static final String RECORDED = "in the recording: ";

  // ---- differences

  /** Returns the first difference after the reconcile, if there is one. */
  public Optional<String> end() {
    lock.lock();
    try {
      if (first == null && !writes.isEmpty()) {
        diverge("write " + (written + 1) + " was " + writes.get(0).get("ask") + ", and is missing");
      }
      return Optional.ofNullable(first).map(Divergence::getMessage);
    } finally {
      lock.unlock();
    }
  }

  private void throwFirst() {
    if (first != null) {
      throw first; // The reconciler has caught it, and continues.
    }
  }

  private Divergence diverge(String message) {
    first = new Divergence(message);
    return first;
  }
}
