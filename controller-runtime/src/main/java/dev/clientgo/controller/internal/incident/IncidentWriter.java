package dev.clientgo.controller.internal.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.internal.incident.RecordedReconcile.Call;
import dev.clientgo.controller.internal.incident.RecordedReconcile.End;
import dev.clientgo.controller.internal.incident.RecordedReconcile.Head;
import dev.clientgo.controller.internal.incident.Tape.Wanted;
import dev.clientgo.rest.config.ExchangeListener.Exchanged;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Writes the reconciles of a ring to a file, without secrets. The file is the line {@link
 * IncidentFile#MAGIC}, and then, in gzip, lines of JSON: a head; objects, each with a number and
 * before its first use; reconciles with their calls; and an end with the number of lines before it.
 * It is made while it is written, so a dump takes the memory of one reconcile and of the secrets.
 *
 * <p>A part that cannot be encoded, because code of the program throws, is counted and left out;
 * its reconcile is then not complete. For one file, not safe for use by many threads.
 */
public final class IncidentWriter {

  private static final byte[] NOTHING = {};

  private final IncidentRing ring;
  private final Redaction redaction;
  private final IdentityHashMap<Object, Long> numbers = new IdentityHashMap<>();
  private long lines;
  private boolean complete;

  /** Creates a writer with the key of the hashes, and the fields of objects that are secret. */
  public IncidentWriter(IncidentRing ring, SecretKey key, Collection<String> paths) {
    this.ring = ring;
    this.redaction = new Redaction(key, paths);
  }

  /** Writes all, first what the file says about itself, and closes nothing. */
  public void write(Map<String, Object> about, OutputStream out) throws IOException {
    List<RecordedReconcile> tapes = ring.reconciles();
    tapes.forEach(tape -> redaction.isOpen(tape.head.namespace()));
    ring.secrets().forEach(this::learn);
    tapes.forEach(tape -> tape.calls.forEach(this::learn));
    out.write((IncidentFile.MAGIC + IncidentFile.VERSION + "\n").getBytes(UTF_8));
    GZIPOutputStream zip = new GZIPOutputStream(out, 1 << 16);
    line(about, zip);
    for (RecordedReconcile tape : tapes) {
      complete = tape.complete;
      List<Object> calls = new ArrayList<>();
      for (Call call : tape.calls) {
        try {
          calls.add(tree(call, zip));
        } catch (RuntimeException | Error e) { // Of a codec or a toString of the program.
          complete = false;
          ring.failed("encode a part of a reconcile", e);
        }
      }
      line(tree(tape, calls), zip);
    }
    line(Map.of("end", lines), zip);
    zip.finish();
  }

  private void line(Map<String, ?> tree, OutputStream zip) throws IOException {
    zip.write(JsonWriter.toBytes(JsonCodecs.TREE, tree));
    zip.write('\n');
    lines++;
  }

  private void learn(Call call) {
    try {
      if (call.answer() instanceof Exchanged exchange) {
        redaction.learn(json(exchange.sent()), isOfSecrets(exchange));
        redaction.learn(json(exchange.received()), isOfSecrets(exchange));
      } else if (call.subject() instanceof Wanted wanted) {
        redaction.learn(
            tree(wanted.type(), wanted.configuration()), IncidentRing.isSecrets(wanted.type()));
      } else if (call.type() != null && call.answer() instanceof List<?> objects) {
        for (Object object : objects) {
          redaction.learn(tree(call.type(), object), IncidentRing.isSecrets(call.type()));
        }
      }
    } catch (RuntimeException | Error e) { // It fails again when it is written.
      ring.failed("look for secrets", e);
    }
  }

  private static boolean isOfSecrets(Exchanged exchange) {
    return exchange.url().getPath().matches(".*/api/v1/(.*/)?secrets(/.*)?");
  }

  // ---- trees

  private Map<String, Object> tree(Call call, OutputStream zip) throws IOException {
    Map<String, Object> tree = new LinkedHashMap<>();
    if (call.answer() instanceof Exchanged exchange) {
      tree.put("ask", exchange.method() + " " + target(exchange.url()));
      tree.put("code", (long) exchange.code());
      tree.put("headers", exchange.headers());
      if (exchange.error() != null) {
        tree.put("error", error(exchange.error()));
      }
      complete &= exchange.isComplete();
      tree = redacted(tree);
      put("sent", exchange.sent(), exchange, tree);
      put("received", exchange.error() == null ? exchange.received() : NOTHING, exchange, tree);
      return tree;
    }
    tree.put("ask", ask(call.verb(), call.type(), call.subject()));
    if (call.answer() instanceof Map<?, ?> error) {
      tree.put("error", error);
    }
    tree = redacted(tree);
    if (call.answer() instanceof String value) { // The time, a seed, a decision: no secrets.
      tree.put("value", value);
    }
    if (call.subject() instanceof Wanted wanted) {
      tree.put("wanted", number(wanted.type(), wanted.configuration(), zip));
    }
    if (call.answer() instanceof List<?> answer) {
      List<Long> objects = new ArrayList<>();
      for (Object object : answer) {
        objects.add(number(requireNonNull(call.type()), object, zip));
      }
      tree.put("objects", objects);
    }
    return tree;
  }

  /** Returns a question in words; a replay asks in the same. */
  static String ask(String verb, @Nullable ResourceType<?> type, Object subject) {
    String which = subject instanceof Wanted wanted ? wanted.target() : subject.toString();
    return verb + " " + (type == null ? "" : type.resource() + " ") + which;
  }

  /** Returns the path below the server, and the query. */
  static String target(URI url) {
    int api = Math.max(0, url.getPath().indexOf("/api"));
    return url.getPath().substring(api) + (url.getQuery() == null ? "" : "?" + url.getQuery());
  }

  /** Puts a body if it is JSON; in other bodies, secrets cannot be found. */
  private void put(String name, byte[] body, Exchanged exchange, Map<String, Object> tree) {
    Object parsed = json(body);
    if (parsed != null) {
      tree.put(name, requireNonNull(redaction.redact(parsed, isOfSecrets(exchange))));
    } else if (body.length > 0) {
      complete = false;
    }
  }

  private static @Nullable Object json(byte[] body) {
    try {
      return body.length == 0 ? null : JsonCodecs.TREE.read(JsonReader.of(body));
    } catch (RuntimeException e) {
      return null;
    }
  }

  private long number(ResourceType<?> type, Object object, OutputStream zip) throws IOException {
    Long known = numbers.get(object);
    if (known != null) {
      return known;
    }
    Object content = redaction.redact(tree(type, object), IncidentRing.isSecrets(type));
    long number = numbers.size() + 1L;
    numbers.put(object, number);
    line(Map.of("object", number, "content", requireNonNull(content)), zip);
    return number;
  }

  @SuppressWarnings("unchecked") // The object is of the type.
  static <T extends KubernetesObject> Object tree(ResourceType<T> type, Object object) {
    return Unstructured.from(type.codec(), (T) object).content();
  }

  private Map<String, Object> tree(RecordedReconcile tape, List<Object> calls) {
    Head head = tape.head;
    End end = requireNonNull(tape.end);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("cluster", head.cluster());
    tree.put("namespace", head.namespace());
    tree.put("name", head.name());
    tree.put("reconcileId", head.reconcileId());
    tree.put("priority", (long) head.priority());
    tree.put("failures", (long) head.failures());
    tree.put("result", end.result());
    tree.put("manyThreads", tape.manyThreads);
    if (end.error() != null) {
      tree.put("error", end.error());
    }
    Map<String, Object> redacted = redacted(tree);
    redacted.put("controller", head.controller());
    redacted.put("start", head.start().toString());
    redacted.put("end", end.time().toString());
    redacted.put("complete", complete);
    redacted.put("calls", calls);
    return redacted;
  }

  private Map<String, Object> redacted(Object tree) {
    return IncidentFile.asMap(redaction.redact(tree, false));
  }

  /** The text of an error may be code of the program that fails. */
  static Map<String, Object> error(Throwable error) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("class", error.getClass().getName());
    try {
      tree.put("message", String.valueOf(error.getMessage()));
    } catch (Throwable e) {
      tree.put("message", "(its text cannot be made)");
    }
    if (error instanceof ApiStatusException status) {
      tree.put("status", Unstructured.from(Status.CODEC, status.status()).content());
    } else if (error instanceof TransportException transport) {
      tree.put("kind", transport.kind().name());
    }
    return tree;
  }
}
