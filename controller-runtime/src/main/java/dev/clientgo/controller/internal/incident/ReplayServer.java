package dev.clientgo.controller.internal.incident;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.ServerConnection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** Plays the part of the API server in a replay: it answers from the tape of the reconcile. */
public final class ReplayServer implements ServerConnection {

  private volatile @Nullable ReplayTape tape;

  /** Sets the reconcile that comes next. */
  public void set(ReplayTape next) {
    tape = next;
  }

  /** Returns a client of this, which does not wait before it tries again. */
  public RESTClient client() {
    RestConfig config = RestConfig.builder("http://incident.invalid").connection(this).build();
    return RESTClient.builder(config).clock(new Impatient()).build();
  }

  @Override
  public Exchange begin(String method, URI url, Map<String, List<String>> headers, byte[] body) {
    return new Exchange() {
      private InputStream answer = InputStream.nullInputStream();

      @Override
      public ResponseHead send() throws IOException {
        ReplayTape current = requireNonNull(tape, "tape");
        Map<String, Object> call = current.send(method, IncidentWriter.target(url), body);
        Object received = call.get("received");
        if (received != null) {
          answer = new ByteArrayInputStream(JsonWriter.toBytes(JsonCodecs.TREE, received));
        } else if (call.get("error") instanceof Map<?, ?> error) {
          answer = broken(String.valueOf(error.get("message")));
        }
        Map<String, List<String>> head = new HashMap<>();
        IncidentFile.asMap(call.get("headers"))
            .forEach((name, value) -> head.put(name, List.of(value.toString())));
        return new ResponseHead(((Long) requireNonNull(call.get("code"))).intValue(), head);
      }

      @Override
      public InputStream body() {
        return answer;
      }

      @Override
      public void close() {}
    };
  }

  private static InputStream broken(String message) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException(message);
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        throw new IOException(message);
      }
    };
  }

  /** A clock on which each wait has passed at once. */
  private static final class Impatient implements Clock {

    private final AtomicLong nanos = new AtomicLong();

    @Override
    public Instant now() {
      return Clock.system().now();
    }

    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout) {
      sleep(timeout);
      return false;
    }

    @Override
    public void sleep(Duration duration) {
      nanos.addAndGet(Math.max(0, duration.toNanos()));
    }
  }
}
