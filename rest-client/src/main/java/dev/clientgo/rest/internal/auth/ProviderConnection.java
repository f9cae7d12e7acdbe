package dev.clientgo.rest.internal.auth;

import org.jspecify.annotations.Nullable;

/** A connection to an identity provider, for one request. */
public interface ProviderConnection extends AutoCloseable {

  /**
   * Sends a GET and returns the body of the response.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the provider responds with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] get(String url) throws InterruptedException;

  /**
   * Sends a form and returns the body of the response.
   *
   * @param authorization the header {@code Authorization}, null for none
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the provider responds with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] post(String url, String form, @Nullable String authorization) throws InterruptedException;

  /** Ends the current request. */
  @Override
  void close();
}
