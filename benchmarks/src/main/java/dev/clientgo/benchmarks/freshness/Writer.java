package dev.clientgo.benchmarks.freshness;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes config maps, one after the other and in turn, each with its number and the time. */
final class Writer implements AutoCloseable {

  static final String NAMESPACE = "default";
  static final String SEQUENCE = "sequence";
  static final String WRITTEN_AT = "writtenAt";

  private static final int OBJECTS = 20;
  private static final Duration BETWEEN_WRITES = Duration.ofMillis(20);

  private final RESTClient client;
  private final ResourceClient<ConfigMap> configMaps;
  private volatile boolean writing;
  private volatile @Nullable RuntimeException failure;
  private @Nullable Thread thread;

  /** Of the thread that writes, or while there is none of the caller's. */
  private long sequence;

  Writer(RestConfig config) throws InterruptedException {
    client = RESTClient.create(config);
    configMaps = client.resource(ConfigMap.TYPE).inNamespace(NAMESPACE);
    for (int i = 0; i < OBJECTS; i++) {
      configMaps.create(next());
    }
  }

  private ConfigMap next() {
    long number = ++sequence;
    return ConfigMap.of(
        NAMESPACE,
        "written-" + number % OBJECTS,
        map ->
            map.data(
                Map.of(
                    SEQUENCE,
                    Long.toString(number),
                    WRITTEN_AT,
                    Long.toString(System.currentTimeMillis()))));
  }

  /** Begins to write, 50 times a second. */
  void start() {
    writing = true;
    thread = new Thread(this::writeAll, "writer");
    thread.start();
  }

  private void writeAll() {
    try {
      while (writing) {
        write();
        Thread.sleep(BETWEEN_WRITES.toMillis());
      }
    } catch (RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      failure = new IllegalStateException(e);
    }
  }

  /** Writes once, and returns the number of the write. */
  long write() throws InterruptedException {
    ConfigMap next = next();
    try {
      configMaps.update(next);
    } catch (TransportException e) {
      configMaps.update(next); // The connection was of a server that has been killed.
    }
    return sequence;
  }

  /** Ends the writing, and returns the number of the last write. */
  long stop() throws InterruptedException {
    writing = false;
    requireNonNull(thread, "thread").join();
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    return sequence;
  }

  @Override
  public void close() {
    client.close();
  }
}
