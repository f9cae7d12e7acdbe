package dev.clientgo.envtest.internal.http;

import java.io.IOException;
import java.util.Arrays;

/** A response body with a fault after a number of bytes. */
public final class FaultyBody implements Response.Stream {

  /** The fault. */
  public interface BodyFault {
    /** Runs on the thread that writes the body; an exception ends the body. */
    void inject(Response.Sink sink) throws IOException, InterruptedException;
  }

  private final Response.Body body;
  private final long after;
  private final BodyFault fault;
  private final ResponsePause pause;

  /**
   * Creates a body.
   *
   * @param pause the pause that the fault waits on, if it waits
   */
  public FaultyBody(Response.Body body, long after, BodyFault fault, ResponsePause pause) {
    this.body = body;
    this.after = after;
    this.fault = fault;
    this.pause = pause;
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
