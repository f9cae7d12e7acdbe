package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import okio.BufferedSink;

/** The body of an answer that a test writes piece by piece, as a server does in a watch. */
final class EndlessBody implements MockResponseBody {

  private static final String END = "(end)";

  private final TestServer.Wire wire;
  private final BlockingQueue<String> pieces = new LinkedBlockingQueue<>();

  EndlessBody(TestServer.Wire wire) {
    this.wire = wire;
  }

  /** Sends some text at once. */
  EndlessBody send(String text) {
    pieces.add(text);
    return this;
  }

  /** Ends the body as a server does. */
  EndlessBody end() {
    return send(END);
  }

  /** Returns an answer with this body. */
  MockResponse response() {
    MockResponse.Builder response = new MockResponse.Builder().body(this);
    response.setHeader("Content-Type", "application/json");
    if (wire != TestServer.Wire.HTTP_2) {
      response.setHeader("Transfer-Encoding", "chunked");
    }
    return response.build();
  }

  @Override
  public long getContentLength() {
    return -1;
  }

  private String frame(String piece) {
    return wire == TestServer.Wire.HTTP_2
        ? piece
        : Integer.toHexString(piece.getBytes(UTF_8).length) + "\r\n" + piece + "\r\n";
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    try {
      for (String piece; (piece = pieces.poll(60, TimeUnit.SECONDS)) != null; ) {
        boolean end = piece.equals(END);
        sink.writeUtf8(frame(end ? "" : piece));
        sink.flush();
        if (end) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
