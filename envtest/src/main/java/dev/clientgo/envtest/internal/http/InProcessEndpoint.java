package dev.clientgo.envtest.internal.http;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.ServerConnection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.ConnectException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The server's endpoint for clients of the same process, which need no sockets. A request runs on
 * the thread of the client. A watch has a thread that writes and the client's, which reads.
 *
 * <p>Safe for use by many threads.
 */
public final class InProcessEndpoint implements ServerConnection {

  private final HttpEndpoint.Handler handler;
  private final Clock clock;
  private final ThreadFactory threadFactory;
  private final Set<InProcessExchange> open = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;

  /**
   * Creates an endpoint that accepts requests.
   *
   * @param threadFactory makes the threads that write streams
   */
  public InProcessEndpoint(HttpEndpoint.Handler handler, Clock clock, ThreadFactory threadFactory) {
    this.handler = handler;
    this.clock = clock;
    this.threadFactory = threadFactory;
  }

  /** Breaks all exchanges. */
  public void closeConnections() {
    open.forEach(InProcessExchange::close);
  }

  /** Sets whether requests are refused as if nothing listened. */
  public void refuse(boolean refuse) {
    refusing = refuse;
  }

  @Override
  public Exchange begin(String method, URI url, Map<String, List<String>> headers, byte[] body) {
    String query = url.getRawQuery();
    String target = query == null ? url.getRawPath() : url.getRawPath() + '?' + query;
    return new InProcessExchange(ApiRequest.of(method, target, headers, body));
  }

  @Override
  public String toString() {
    return "in process";
  }

  private final class InProcessExchange implements Exchange {

    private final ApiRequest request;
    private InputStream body = InputStream.nullInputStream();
    private volatile boolean closed;
    private volatile @Nullable Pipe pipe;
    private volatile @Nullable ResponsePause pause;
    private volatile @Nullable Runnable stop;

    InProcessExchange(ApiRequest request) {
      this.request = request;
    }

    @Override
    public ResponseHead send() throws IOException, InterruptedException {
      if (refusing) {
        throw new ConnectException("the server is stopped");
      }
      open.add(this);
      try {
        Response response = HttpEndpoint.answer(handler, request);
        if (response.body() instanceof Response.Silence silence) {
          keepSilent(silence.pause());
        } else if (response.body() instanceof Response.Bytes bytes) {
          body = join(bytes.parts());
        } else if (response.body() instanceof Response.Upgrade) {
          throw new IOException(
              "a connection in process cannot switch protocols: let the server listen");
        } else {
          stream((Response.Stream) response.body());
        }
        checkOpen();
        return new ResponseHead(response.code(), response.headers().toMultimap());
      } finally {
        if (pipe == null) {
          open.remove(this);
        }
      }
    }

    private void checkOpen() throws IOException {
      if (closed) {
        close(); // It may have come before there was anything to close.
        throw new IOException("the exchange was closed");
      }
    }

    private void keepSilent(ResponsePause silence) throws IOException, InterruptedException {
      pause = silence;
      checkOpen();
      try {
        silence.await();
      } finally {
        silence.end();
      }
      throw new IOException("unexpected end of stream: the server has closed the connection");
    }

    private void stream(Response.Stream stream) {
      Pipe created = new Pipe(clock, stream::poke);
      pipe = created;
      stop = stream::stop;
      body = created.in();
      Thread writer = threadFactory.newThread(() -> write(stream, created));
      writer.setName("envtest-stream " + request.path());
      writer.start();
    }

    private void write(Response.Stream stream, Pipe to) {
      IOException failure = null;
      try {
        stream.writeTo(to);
        to.flush();
      } catch (InterruptedException e) {
        failure = new IOException("the server was interrupted", e);
      } catch (IOException e) {
        failure = new IOException("unexpected end of stream", e);
      } catch (Throwable e) {
        failure = new IOException("the server has failed", e);
      } finally {
        open.remove(this);
        to.end(failure);
      }
    }

    @Override
    public InputStream body() {
      return body;
    }

    @Override
    public void close() {
      closed = true;
      ResponsePause silence = pause;
      if (silence != null) {
        silence.end();
      }
      Pipe stream = pipe;
      if (stream != null) {
        stream.close(); // First: a stream that stops would end in order, and this is a break.
      }
      Runnable stopping = stop;
      if (stopping != null) {
        stopping.run();
      }
    }
  }

  private static InputStream join(List<byte[]> parts) {
    if (parts.size() == 1) {
      return new ByteArrayInputStream(parts.get(0));
    }
    List<InputStream> streams = new ArrayList<>();
    parts.forEach(part -> streams.add(new ByteArrayInputStream(part)));
    return new SequenceInputStream(Collections.enumeration(streams));
  }
}
