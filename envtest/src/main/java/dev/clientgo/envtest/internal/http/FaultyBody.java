package dev.clientgo.envtest.internal.http;

import java.io.IOException;
import java.util.Arrays;

/** A response body with a fault after a number of bytes. */
public final class FaultyBody implements Response.Stream {

  private final Response.Body body;
  private final long after;
  private final Response.Fault fault;
  private final ResponsePause pause;

  private FaultyBody(Response.Body body, long after, Response.Fault fault, ResponsePause pause) {
    this.body = body;
    this.after = after;
    this.fault = fault;
    this.pause = pause;
  }

  /**
   * Returns a response with a fault in its body, and with the original length.
   *
   * @param after the number of bytes before the fault
   * @param pause the pause that the fault waits on, if it waits
   */
  public static Response in(
      Response response, long after, Response.Fault fault, ResponsePause pause) {
    if (response.body() instanceof Response.Upgrade upgrade) {
      return new Response(
          response.code(), response.headers(), new FaultyUpgrade(upgrade, after, fault, pause));
    }
    Response faulty =
        new Response(
            response.code(),
            response.headers(),
            new FaultyBody(response.body(), after, fault, pause));
    return response.body() instanceof Response.Bytes bytes
        ? faulty.with("Content-Length", Long.toString(bytes.length()))
        : faulty;
  }

  @Override
  public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
    Counting counting = new Counting(sink);
    try {
      if (after == 0) {
        counting.inject(); // The fault comes even if the body has no byte.
      }
      if (body instanceof Response.Stream stream) {
        stream.writeTo(counting);
      } else if (body instanceof Response.Bytes bytes) {
        for (byte[] part : bytes.parts()) {
          counting.write(part);
        }
      }
    } finally {
      pause.end();
    }
  }

  @Override
  public void stop() {
    pause.end();
    if (body instanceof Response.Stream stream) {
      stream.stop();
    }
  }

  @Override
  public void poke() {
    if (body instanceof Response.Stream stream) {
      stream.poke();
    }
  }

  private final class Counting implements Response.Sink {
    private final Response.Sink sink;
    private long left = after;

    Counting(Response.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(byte[] bytes) throws IOException, InterruptedException {
      if (left < 0 || bytes.length <= left) {
        left -= left < 0 ? 0 : bytes.length;
        sink.write(bytes);
        return;
      }
      int before = (int) left;
      sink.write(Arrays.copyOf(bytes, before));
      inject();
      sink.write(Arrays.copyOfRange(bytes, before, bytes.length));
    }

    void inject() throws IOException, InterruptedException {
      left = -1;
      sink.flush();
      fault.inject(sink);
    }

    @Override
    public void flush() throws IOException {
      sink.flush();
    }
  }
}
