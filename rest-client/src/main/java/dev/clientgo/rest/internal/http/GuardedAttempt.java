package dev.clientgo.rest.internal.http;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.config.RequestGuard;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.Request;

/**
 * An attempt of a request and its guard. OkHttp's request carries it to the moment when the
 * connection is open.
 *
 * @param method the HTTP method, or {@link RequestGuard#CONNECT}
 * @param path the path of the request, without parameters
 */
record GuardedAttempt(RequestGuard guard, String method, String path) {

  /** OkHttp makes a new string of the path at each call, and most clients have no guard. */
  private static final GuardedAttempt UNGUARDED = new GuardedAttempt(RequestGuard.NONE, "", "");

  private static final Pattern PROXY =
      Pattern.compile("/api/v1/(?:namespaces/[^/]+/(?:pods|services)|nodes)/[^/]+/proxy(?:/.*)?$");

  /**
   * Returns an attempt.
   *
   * @param upgrades whether it asks for another protocol
   */
  static GuardedAttempt of(RequestGuard guard, String method, HttpUrl url, boolean upgrades) {
    if (guard == RequestGuard.NONE) {
      return UNGUARDED;
    }
    String path = url.encodedPath();
    boolean connects = upgrades || PROXY.matcher(path).find();
    return new GuardedAttempt(guard, connects ? RequestGuard.CONNECT : method, path);
  }

  /** Returns the attempt that a request carries. */
  static GuardedAttempt of(Request request) {
    return requireNonNull(request.tag(GuardedAttempt.class), "the attempt");
  }

  /** Returns whether the guard can cancel the attempt until its response is closed. */
  boolean isConnection() {
    return method.equals(RequestGuard.CONNECT);
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
