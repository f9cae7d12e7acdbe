package dev.clientgo.rest.config;

import dev.clientgo.apimachinery.errors.TransportException;

/**
 * Decides for each attempt of a request whether it may be sent, and can cancel requests that wait
 * for their response.
 *
 * <p>{@link dev.clientgo.rest.RESTClient#guardedBy} returns a client whose requests a guard
 * watches. The thread that makes the request calls the methods, so they must be quick and safe for
 * use by many threads.
 */
public interface RequestGuard {

  /** Allows all requests. */
  RequestGuard NONE = (method, path) -> {};

  /**
   * The method of requests that reach a program behind the server, which may change anything: they
   * ask for another protocol, as exec, attach and port-forward do, or go to the {@code proxy} of a
   * pod, service or node. Their real method is mostly GET. The server's admission calls them {@code
   * CONNECT}, too.
   */
  String CONNECT = "CONNECT";

  /** Returns whether a request may change something: any but GET, HEAD and OPTIONS. */
  static boolean isWrite(String method) {
    return switch (method) {
      case "GET", "HEAD", "OPTIONS" -> false;
      default -> true;
    };
  }

  /**
   * Checks an attempt twice: before a connection is chosen or opened, and immediately before the
   * request is written to the connection. A retry is a new attempt.
   *
   * @param method the HTTP method, or {@link #CONNECT}
   * @param path the path of the request, without parameters
   * @throws RuntimeException if the request must not be sent; the caller of the client receives it
   */
  void check(String method, String path);

  /**
   * Registers an attempt that waits for its response.
   *
   * @param cancel cancels the attempt, from any thread
   * @return removes the registration; runs when the head of the response has arrived, for {@link
   *     #CONNECT} when the response is closed, or when the attempt has failed
   */
  default Runnable started(String method, String path, Runnable cancel) {
    return () -> {};
  }

  /**
   * Returns the error to throw for an attempt that got no response. The server may have acted on
   * the request.
   *
   * @param error the error that the client would throw
   */
  default RuntimeException failed(String method, String path, TransportException error) {
    return error;
  }
}
