package dev.clientgo.rest.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A connection to an API server that is no network: to a server in the same process, or to one that
 * plays its part in a test.
 *
 * <pre>{@code
 * RestConfig config =
 *     RestConfig.builder("http://server.test").connection(server.connection()).build();
 * }</pre>
 *
 * <p>A client does everything else as always: retries, rate limits, credentials, interceptors and
 * the decoding of responses. It begins an exchange for each attempt and each watch, on the thread
 * of the caller. Safe for use by many threads.
 */
@FunctionalInterface
public interface ServerConnection {

  /**
   * Begins an exchange. Sends nothing and returns at once.
   *
   * @param method the HTTP method
   * @param url the URL with its query
   * @param headers the values of each header, with credentials
   * @param body the body, empty if there is none
   */
  Exchange begin(String method, URI url, Map<String, List<String>> headers, byte[] body);

  /** One request and its response. One thread uses it; any thread may close it. */
  interface Exchange extends AutoCloseable {

    /**
     * Sends the request and waits for the head of the response. It is called once.
     *
     * @throws IOException if there is no response; {@link java.net.ConnectException} if nothing was
     *     sent, {@link java.net.SocketTimeoutException} if the response is late
     * @throws InterruptedException if the thread is interrupted
     */
    ResponseHead send() throws IOException, InterruptedException;

    /**
     * Returns the body of the response. A read waits until there is a byte, the body ends or the
     * exchange is closed. If the thread is interrupted, a read throws {@link
     * java.io.InterruptedIOException} and leaves the interrupt flag set.
     */
    InputStream body();

    /**
     * Ends the exchange. A thread that waits in it gets an {@link IOException}. Does nothing the
     * second time.
     */
    @Override
    void close();
  }
}
