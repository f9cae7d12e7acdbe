package dev.clientgo.rest;

import org.jspecify.annotations.Nullable;

/** A connection to an identity provider, for one exchange. */
interface ProviderConnection extends AutoCloseable {

  /**
   * Sends a GET and returns the body of the answer.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the provider answers with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not answer
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] get(String url) throws InterruptedException;

  /**
   * Sends a form and returns the body of the answer.
   *
   * @param authorization the header {@code Authorization}, null for none
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the provider answers with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not answer
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] post(String url, String form, @Nullable String authorization) throws InterruptedException;

  /** Ends an exchange that is under way. */
  @Override
  void close();
}
