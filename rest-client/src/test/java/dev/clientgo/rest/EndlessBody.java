package dev.clientgo.rest;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import okio.BufferedSink;
import okio.ByteString;

/** The body of an answer that a test writes piece by piece, as a server does in a watch. */
final class EndlessBody implements MockResponseBody {

  private static final ByteString END = ByteString.encodeUtf8("(end)");

  private final TestServer.Wire wire;
  private final BlockingQueue<ByteString> pieces = new LinkedBlockingQueue<>();

  EndlessBody(TestServer.Wire wire) {
    this.wire = wire;
  }

  /** Sends some text at once. */
  EndlessBody send(String text) {
    return send(ByteString.encodeUtf8(text));
  }

  /** Sends some bytes at once. */
  EndlessBody send(ByteString bytes) {
    pieces.add(bytes);
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

  private void write(BufferedSink sink, ByteString piece) throws IOException {
    boolean framed = wire != TestServer.Wire.HTTP_2;
    if (framed) {
      sink.writeUtf8(Integer.toHexString(piece.size()) + "\r\n");
    }
    sink.write(piece);
    if (framed) {
      sink.writeUtf8("\r\n");
    }
    sink.flush();
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    try {
      for (ByteString piece; (piece = pieces.poll(60, TimeUnit.SECONDS)) != null; ) {
        boolean end = piece.equals(END);
        write(sink, end ? ByteString.EMPTY : piece);
        if (end) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
