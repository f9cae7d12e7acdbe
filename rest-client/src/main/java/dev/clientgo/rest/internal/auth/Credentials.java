package dev.clientgo.rest.internal.auth;

import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.tls.ClientCertificate;

/** A source of credentials, which refreshes them as needed. Safe for use by many threads. */
public interface Credentials extends ClientCertificate, AutoCloseable {

  /**
   * Returns the credentials for the next request. May read a file, run a program or call a function
   * of the caller's program.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if they cannot be obtained
   * @throws InterruptedException if the thread is interrupted
   */
  Credential current() throws InterruptedException;

  /** Returns a description with the place of the configuration, for messages; empty if none. */
  default String describe() {
    return "";
  }

  /**
   * Reports that the server has rejected a credential. The next call of {@link #current} obtains a
   * new one, unless another thread has done so.
   */
  void refused(Credential credential);

  /** Ends the waits of threads in {@link #current}, which then throws. */
  @Override
  default void close() {}

  /** Returns the place of the user's configuration, as a suffix of a description. */
  static String origin(RestConfig config) {
    return config.userOrigin() == null ? "" : " (" + config.userOrigin() + ")";
  }
}
