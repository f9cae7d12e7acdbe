package dev.clientgo.benchmarks.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/** A watch that a client reads. */
final class OpenWatch {

  private static final int CHUNK = 32 << 10;

  private final Objects objects;
  private final AtomicLong version;
  private final int namespace;
  private final OutputStream out;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

  OpenWatch(Objects objects, AtomicLong version, int namespace, OutputStream out) {
    this.objects = objects;
    this.version = version;
    this.namespace = namespace;
    this.out = out;
  }

  /** Sends all objects, and that these were all. */
  void sendAll() throws IOException {
    for (int i = 0; i < objects.count(); i++) {
      if (namespace < 0 || objects.namespace(i) == namespace) {
        event("ADDED", i, 0);
      }
    }
    Objects.write(
        buffer,
        "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":"
                .formatted(objects.kind())
            + "{\"resourceVersion\":\""
            + version.get()
            + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n");
  }

  /** Sends that one of the objects has changed; returns whether anybody reads it. */
  boolean change(int number, boolean flush) {
    try {
      event("MODIFIED", objects.inNamespace(namespace, number), System.nanoTime());
      if (flush) {
        flush();
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Sends that an object has changed; returns whether anybody reads it. */
  boolean send(byte[] changed) {
    try {
      Objects.write(buffer, "{\"type\":\"MODIFIED\",\"object\":");
      buffer.writeBytes(changed);
      Objects.write(buffer, "}\n");
      flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Sends that all objects are deleted; returns whether anybody reads it. */
  boolean deleteAll() {
    try {
      for (int i = 0; i < objects.count(); i++) {
        if (namespace < 0 || objects.namespace(i) == namespace) {
          event("DELETED", i, 0);
        }
      }
      flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void event(String type, int i, long time) throws IOException {
    Objects.write(buffer, "{\"type\":\"" + type + "\",\"object\":");
    objects.write(buffer, i, version.incrementAndGet(), time);
    Objects.write(buffer, "}\n");
    drain(buffer, out);
  }

  void flush() throws IOException {
    buffer.writeTo(out);
    buffer.reset();
    out.flush();
  }

  /** Sends what has gathered, if it is enough. */
  static void drain(ByteArrayOutputStream buffer, OutputStream out) throws IOException {
    if (buffer.size() >= CHUNK) {
      buffer.writeTo(out);
      buffer.reset();
    }
  }
}
