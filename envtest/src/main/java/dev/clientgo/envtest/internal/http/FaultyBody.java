package dev.clientgo.envtest.internal.http;

import java.io.IOException;
import java.util.Arrays;

/** A body in which something goes wrong after so many bytes. */
public final class FaultyBody implements Response.Stream {

  /** What happens instead of the rest. */
  public interface Accident {
    /** Happens on the thread that writes; what it throws ends the stream. */
    void happen(Response.Sink sink) throws IOException, InterruptedException;
  }

  private final Response.Body body;
  private final long after;
  private final Accident accident;
  private final ResponsePause pause;

  /**
   * Creates a body.
   *
   * @param pause what the accident waits on, if it does
   */
  public FaultyBody(Response.Body body, long after, Accident accident, ResponsePause pause) {
    this.body = body;
    this.after = after;
    this.accident = accident;
    this.pause = pause;
  }

  @Override
  public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
    Counting counting = new Counting(sink);
    try {
      if (after == 0) {
        counting.happen(); // Even if there is never a byte.
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
      happen();
      sink.write(Arrays.copyOfRange(bytes, before, bytes.length));
    }

    void happen() throws IOException, InterruptedException {
      left = -1;
      sink.flush();
      accident.happen(sink);
    }

    @Override
    public void flush() throws IOException {
      sink.flush();
    }
  }
}
