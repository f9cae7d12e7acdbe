package dev.clientgo.rest;

import org.jspecify.annotations.Nullable;

/**
 * The certificate that a client shows to its server; it may change. Safe for use by many threads.
 */
interface ClientCertificate {

  /** Returns the newest certificate known, without looking for a newer one; null if none. */
  default @Nullable ClientIdentity identity() {
    return null;
  }

  /**
   * Returns why the server may refuse the certificate: it has expired, or is not valid yet. Empty
   * if there is no certificate or it is valid now.
   */
  default String problem() {
    return "";
  }
}
