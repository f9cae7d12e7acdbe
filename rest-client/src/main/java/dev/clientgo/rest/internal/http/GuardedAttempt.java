package dev.clientgo.rest.internal.http;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.config.RequestGuard;
import okhttp3.HttpUrl;
import okhttp3.Request;

/**
 * An attempt of a request and its guard. OkHttp's request carries it to the moment when the
 * connection is open.
 *
 * @param path the path of the request, without parameters
 */
record GuardedAttempt(RequestGuard guard, String method, String path) {

  /** OkHttp makes a new string of the path at each call, and most clients have no guard. */
  private static final GuardedAttempt UNGUARDED = new GuardedAttempt(RequestGuard.NONE, "", "");

  static GuardedAttempt of(RequestGuard guard, String method, HttpUrl url) {
    return guard == RequestGuard.NONE
        ? UNGUARDED
        : new GuardedAttempt(guard, method, url.encodedPath());
  }

  /** Returns the attempt that a request carries. */
  static GuardedAttempt of(Request request) {
    return requireNonNull(request.tag(GuardedAttempt.class), "the attempt");
  }

  /** Throws if the attempt must not be sent. */
  void check() {
    guard.check(method, path);
  }

  /**
   * Registers the attempt.
   *
   * @return removes the registration
   */
  Runnable started(Runnable cancel) {
    return guard.started(method, path, cancel);
  }

  /** Returns the error to throw for an attempt that got no response. */
  RuntimeException failed(TransportException error) {
    return guard.failed(method, path, error);
  }
}
