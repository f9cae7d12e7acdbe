package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.examples.podservice.PodHistory.Change;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes of pods to clients, as server-sent events whose names are those of a watch.
 *
 * <p>Each stream has the thread of its request, and no separate buffer. If the history has moved on
 * before a slow client has read, its stream ends with status 410. If a client takes no bytes at all
 * for a while, its connection is closed.
 *
 * <p>Safe for use by many threads.
 */
final class PodStreams implements AutoCloseable {

  private static final Logger LOG = System.getLogger(PodStreams.class.getName());

  /** A comment that shows proxies and this service that the connection still works. */
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(UTF_8);

  private final PodHistory history;
  private final EncodedPods encoded;
  private final PodServiceOptions options;
  private final Set<Stream> open = ConcurrentHashMap.newKeySet();
  private final Thread watchdog =
      DaemonThreads.named("pod-streams-").newThread(this::closeStuckStreams);

  /** An open stream. */
  private static final class Stream {
    final Thread thread = Thread.currentThread();

    /** When the write in progress began, by the monotonic clock; null if there is none. */
    volatile @Nullable Long writingSince;
  }

  PodStreams(PodHistory history, EncodedPods encoded, PodServiceOptions options) {
    this.history = history;
    this.encoded = encoded;
    this.options = options;
  }

  void start() {
    watchdog.start();
  }

  int count() {
    return open.size();
  }

  /**
   * Sends changes until the client, this service or an error ends the stream.
   *
   * @param version the version after which the changes begin
   * @param pods the pods to send first
   * @throws ApiStatusException before anything is sent, if the version is too old or there are too
   *     many streams
   */
  void send(PodRequest request, PodQuery query, String version, Optional<IndexSnapshot<Pod>> pods)
      throws IOException {
    long position = history.after(version);
    Stream stream = new Stream();
    open.add(stream);
    try {
      if (open.size() > options.maxStreams()) {
        throw ApiStatusException.tooManyRequests("there are too many streams", 1);
      }
      try (OutputStream out = request.answerEvents()) {
        out.write(HEARTBEAT);
        if (pods.isPresent()) {
          sendFirst(stream, out, query, version, pods.get());
        }
        follow(stream, out, query, position);
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "The service ends, or a client did not read");
    } finally {
      open.remove(stream);
      Thread.interrupted(); // The thread goes back to its pool.
    }
  }

  /** The version comes last: a client that has only a part of the pods gets all of them again. */
  private void sendFirst(
      Stream stream, OutputStream out, PodQuery query, String version, IndexSnapshot<Pod> pods)
      throws IOException {
    for (Pod pod : pods.list()) {
      if (query.matches(pod)) {
        stream.writingSince = Clock.system().nanoTime();
        write(out, "ADDED", "", encoded.json(pod));
      }
    }
    Map<String, String> end = Map.of("k8s.io/initial-events-end", "true");
    Pod bookmark =
        Pod.of(pod -> pod.editMetadata(m -> m.resourceVersion(version).annotations(end)));
    write(out, "BOOKMARK", version, JsonWriter.toBytes(Pod.CODEC, bookmark));
  }

  private void follow(Stream stream, OutputStream out, PodQuery query, long begin)
      throws IOException, InterruptedException {
    long position = begin;
    while (!history.isClosed()) {
      stream.writingSince = Clock.system().nanoTime();
      out.flush();
      stream.writingSince = null;
      List<Change> changes;
      try {
        changes = history.from(position, options.heartbeat());
      } catch (ApiStatusException e) {
        stream.writingSince = Clock.system().nanoTime();
        write(out, "ERROR", "", JsonWriter.toBytes(Status.CODEC, e.status()));
        return;
      }
      for (Change change : changes) {
        stream.writingSince = Clock.system().nanoTime();
        write(out, query, change);
      }
      if (changes.isEmpty()) {
        out.write(HEARTBEAT);
      }
      position += changes.size();
    }
  }

  /** To this client, a pod that begins to meet the query is added, one that ceases is deleted. */
  private void write(OutputStream out, PodQuery query, Change change) throws IOException {
    Pod before = matching(query, change.before());
    Pod after = matching(query, change.after());
    if (after != null) {
      String event = before == null ? "ADDED" : "MODIFIED";
      write(out, event, change.version(), encoded.json(after));
    } else if (before != null) {
      write(out, "DELETED", change.version(), JsonWriter.toBytes(Pod.CODEC, before));
    }
  }

  private static @Nullable Pod matching(PodQuery query, @Nullable Pod pod) {
    return pod != null && query.matches(pod) ? pod : null;
  }

  private static void write(OutputStream out, String event, String id, byte[] json)
      throws IOException {
    String head = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + event + "\ndata: ";
    out.write(head.getBytes(UTF_8));
    out.write(json); // Is one line.
    out.write("\n\n".getBytes(UTF_8));
  }

  /** An interruption closes the connection of a thread that writes. */
  private void closeStuckStreams() {
    Duration limit = options.writeTimeout();
    try {
      while (true) {
        Clock.system().sleep(limit.dividedBy(4));
        long now = Clock.system().nanoTime();
        for (Stream stream : open) {
          Long since = stream.writingSince;
          if (since != null && now - since > limit.toNanos()) {
            stream.thread.interrupt();
          }
        }
      }
    } catch (InterruptedException e) {
      // The service has ended.
    }
  }

  /** Lets all streams end, each with what it is writing. */
  @Override
  public void close() {
    watchdog.interrupt();
    history.close();
  }
}
