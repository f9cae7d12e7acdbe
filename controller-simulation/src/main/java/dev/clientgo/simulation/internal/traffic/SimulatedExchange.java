package dev.clientgo.simulation.internal.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.ServerConnection.Exchange;
import dev.clientgo.simulation.internal.threads.Waiter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that takes simulated time, and to which faults happen. */
final class SimulatedExchange implements Exchange {

  /** A client that gets no answer gives up after this time. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Client client;
  private final Call call;
  private final String method;
  private final URI url;
  private final Map<String, List<String>> headers;
  private final byte[] content;

  private InputStream body = InputStream.nullInputStream();
  private volatile @Nullable Waiter waiter;
  private volatile @Nullable WatchFeed feed;
  private volatile boolean closed;

  SimulatedExchange(
      Client client,
      Call call,
      String method,
      URI url,
      Map<String, List<String>> headers,
      byte[] content) {
    this.client = client;
    this.call = call;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.content = content;
  }

  @Override
  public ResponseHead send() throws IOException, InterruptedException {
    Control control = client.control;
    client.scheduler.acts();
    if (call.isOfLease()) {
      client.scheduler.keepsLease();
    }
    pause(control.latency(client));
    for (Duration held = control.held(call); !held.isZero(); held = control.held(call)) {
      pause(held);
    }
    Fate fate = control.arrived(call);
    pause(fate.delay());
    switch (fate.kind()) {
      case REFUSE -> {
        control.failed(call, "connection refused");
        throw new ConnectException("refused by the simulation");
      }
      case ANSWER -> {
        control.failed(call, "answered " + fate.code() + " by the simulation");
        pause(control.latency(client));
        return error(fate.code());
      }
      case DIE_BEFORE -> {
        control.die(client, "before " + call.describe());
        client.scheduler.await(new Waiter());
      }
      default -> {}
    }
    Exchange real = client.server.begin(method, control.rewrite(call, url), headers, content);
    ResponseHead head = real.send();
    if (call.isWatch() && head.code() == 200) {
      control.carriedOut(call, head.code(), new byte[0]);
      WatchFeed opened = new WatchFeed(client, call, real);
      feed = opened;
      body = opened.in();
      opened.start();
    } else {
      byte[] answer = real.body().readAllBytes();
      body = new ByteArrayInputStream(answer);
      control.carriedOut(call, head.code(), answer);
    }
    client.scheduler.acts();
    switch (fate.kind()) {
      case DIE_AFTER -> {
        control.die(client, "after " + call.describe());
        client.scheduler.await(new Waiter());
      }
      case LOSE_ANSWER -> {
        control.failed(call, "its answer was lost");
        pause(PATIENCE);
        throw new SocketTimeoutException("the simulation has lost the answer");
      }
      case HOLD_ANSWER -> {
        client.held = this;
        pause(Fate.LONGEST_HOLD);
        client.held = null;
        pause(control.latency(client));
      }
      default -> pause(control.latency(client));
    }
    return head;
  }

  private void pause(Duration duration) throws IOException, InterruptedException {
    if (closed || client.owner.isDead()) {
      throw new IOException("Canceled");
    }
    if (duration.isZero()) {
      return;
    }
    Waiter pause = new Waiter();
    waiter = pause;
    client.scheduler.await(pause, duration);
    waiter = null;
    if (closed) {
      close(); // It may have come before there was a watch to close.
      throw new IOException("Canceled");
    }
  }

  /** Ends the pause that the request is in, if it is. */
  void wake() {
    Waiter pause = waiter;
    if (pause != null) {
      client.scheduler.wake(pause);
    }
  }

  private ResponseHead error(int code) {
    String reason =
        switch (code) {
          case 403 -> "Forbidden";
          case 409 -> "Conflict";
          case 422 -> "Invalid";
          case 429 -> "TooManyRequests";
          default -> "InternalError";
        };
    String message =
        switch (code) {
          case 403 -> "admission webhook \\\"simulation\\\" denied the request";
          case 409 ->
              "the object has been modified; please apply your changes to the latest version";
          default -> "an error of the simulation";
        };
    body =
        new ByteArrayInputStream(
            ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                    + "\"message\":\""
                    + message
                    + "\",\"reason\":\""
                    + reason
                    + "\",\"code\":"
                    + code
                    + "}")
                .getBytes(UTF_8));
    Map<String, List<String>> head =
        code == 429
            ? Map.of("Content-Type", List.of("application/json"), "Retry-After", List.of("1"))
            : Map.of("Content-Type", List.of("application/json"));
    return new ResponseHead(code, head);
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public void close() {
    closed = true;
    if (client.owner.isDead()) {
      return; // The driver closes the watches of the dead.
    }
    wake();
    WatchFeed watch = feed;
    if (watch != null) {
      watch.close();
    }
  }
}
