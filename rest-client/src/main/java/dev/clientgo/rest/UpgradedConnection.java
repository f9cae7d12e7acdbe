package dev.clientgo.rest;

import dev.clientgo.rest.internal.http.HttpResponse;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * A connection to the server that has switched from HTTP to another protocol: two streams of bytes.
 *
 * <p>It has no timeouts. Each write is sent at once. If a thread is interrupted while it reads or
 * writes, its stream throws {@link java.io.InterruptedIOException}, the thread stays interrupted,
 * and the connection is closed. One thread may read while another writes; any thread may call
 * {@link #close}. When the client is closed, so is the connection.
 *
 * <p>Corresponds to {@code httpstream.Connection} of apimachinery, without its streams. {@link
 * Request#upgrade} returns it.
 */
public final class UpgradedConnection implements AutoCloseable {

  private final HttpResponse response;
  private final OutputStream output;

  UpgradedConnection(HttpResponse response, OutputStream output) {
    this.response = response;
    this.output = output;
  }

  /** Returns a header of the response. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(response.header(name));
  }

  /** Returns the bytes from the server. Closing the stream closes the connection. */
  public InputStream inputStream() {
    return response.body();
  }

  /** Returns the stream to the server. Closing it does nothing. */
  public OutputStream outputStream() {
    return output;
  }

  /** Returns the method and the URL of the request, without the query, for messages. */
  @Override
  public String toString() {
    return response.describe();
  }

  /**
   * Closes the connection at once; threads that read or write get an {@link java.io.IOException}.
   * Does nothing the second time.
   */
  @Override
  public void close() {
    response.close();
  }
}
