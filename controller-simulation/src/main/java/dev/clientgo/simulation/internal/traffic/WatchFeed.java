package dev.clientgo.simulation.internal.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.config.ServerConnection.Exchange;
import dev.clientgo.simulation.internal.threads.Waiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A watch whose events arrive one by one. A thread of the server reads the events as they come; a
 * timer brings each to the process.
 */
final class WatchFeed {

  private static final String EXPIRED =
      "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
          + "\"status\":\"Failure\",\"message\":\"too old resource version\","
          + "\"reason\":\"Expired\",\"code\":410}}\n";

  private final Client client;
  private final Call call;
  private final Exchange real;
  private final Deque<byte[]> readable = new ArrayDeque<>();
  private int position;
  private @Nullable Waiter reader;

  /** The time at which the last event arrives; none overtakes another. */
  private long lastArrival;

  /** Later events do not arrive. */
  private boolean severed;

  private boolean atEnd;
  private @Nullable String broken;
  private volatile boolean closed;

  WatchFeed(Client client, Call call, Exchange real) {
    this.client = client;
    this.call = call;
    this.real = real;
  }

  void start() {
    client.feeds.add(this);
    Thread pump = client.serverOwner.newThread(this::pump);
    pump.setName("watch " + call.request().resource() + " of " + client);
    pump.start();
  }

  private void pump() {
    try {
      BufferedReader lines = new BufferedReader(new InputStreamReader(real.body(), UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        left(line);
      }
      arriveLater(0, this::end);
    } catch (IOException e) {
      arriveLater(0, () -> cut("the connection was closed"));
    }
  }

  /** An event has left the server. */
  private void left(String line) {
    Delivery delivery = parse(line);
    Fate fate = client.control.left(delivery);
    long delay = fate.delay().toNanos();
    if (severed) {
      return;
    }
    switch (fate.kind()) {
      case CUT -> {
        severed = true;
        arriveLater(delay, () -> cut("the simulation has cut the watch"));
      }
      case EXPIRE -> {
        severed = true;
        arriveLater(delay, this::expire);
      }
      default ->
          arriveLater(
              delay,
              () -> {
                if (!closed && !client.owner.isDead()) {
                  client.control.delivered(delivery);
                  arrive(line + "\n");
                }
              });
    }
  }

  private Delivery parse(String line) {
    Unstructured event = Unstructured.parse(line);
    String type = String.valueOf(event.content().get("type"));
    String group = call.request().group();
    String resource =
        group.isEmpty() ? call.request().resource() : call.request().resource() + "." + group;
    if (type.equals("ERROR") || !(event.content().get("object") instanceof Map<?, ?> content)) {
      return new Delivery(client, resource, type, "", "", List.of());
    }
    @SuppressWarnings("unchecked") // Keys of JSON are strings.
    Unstructured object = Unstructured.of((Map<String, ?>) content);
    String namespace = Objects.requireNonNullElse(object.metadata().namespace(), "");
    String name = Objects.requireNonNullElse(object.metadata().name(), "");
    return new Delivery(
        client,
        resource,
        type,
        namespace.isEmpty() ? name : namespace + "/" + name,
        Objects.requireNonNullElse(object.metadata().resourceVersion(), ""),
        object.metadata().ownerReferences().stream().map(OwnerReference::name).toList());
  }

  private void arriveLater(long delay, Runnable action) {
    lastArrival = Math.max(lastArrival, client.scheduler.now() + delay);
    client.scheduler.after(
        java.time.Duration.ofNanos(lastArrival - client.scheduler.now()), action);
  }

  // ---- called by the driver

  /** Ends the watch because its version has expired. */
  void expire() {
    severed = true;
    arrive(EXPIRED);
    end();
  }

  private void arrive(String line) {
    readable.add(line.getBytes(UTF_8));
    wakeReader();
  }

  private void end() {
    atEnd = true;
    wakeReader();
  }

  private void cut(String reason) {
    broken = reason;
    wakeReader();
  }

  private void wakeReader() {
    Waiter waiting = reader;
    if (waiting != null) {
      client.scheduler.wake(waiting);
    }
  }

  /** Ends the watch on both sides. */
  void close() {
    if (!closed) {
      closed = true;
      client.feeds.remove(this);
      real.close();
      wakeReader();
    }
  }

  // ---- called by the process

  InputStream in() {
    return new In();
  }

  private int read(byte[] bytes, int offset, int length) throws IOException {
    while (readable.isEmpty() && !atEnd && broken == null && !closed) {
      Waiter waiting = new Waiter();
      reader = waiting;
      try {
        client.scheduler.await(waiting);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted");
      }
    }
    if (closed) {
      throw new IOException("the watch was closed");
    }
    byte[] line = readable.peek();
    if (line == null) {
      if (broken != null) {
        throw new IOException("unexpected end of stream: " + broken);
      }
      return -1;
    }
    int count = Math.min(length, line.length - position);
    System.arraycopy(line, position, bytes, offset, count);
    position += count;
    if (position == line.length) {
      readable.remove();
      position = 0;
    }
    return count;
  }

  private final class In extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return WatchFeed.this.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return WatchFeed.this.read(bytes, offset, length);
    }
  }
}
