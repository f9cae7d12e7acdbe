package dev.clientgo.rest.internal.tls;

import org.jspecify.annotations.Nullable;

/** The current certificate of a client, which may change. Safe for use by many threads. */
public interface ClientCertificate {

  /** Returns the last certificate read, without reading again; null if there is none. */
  default @Nullable ClientIdentity identity() {
    return null;
  }

  /**
   * Returns why the server may reject the certificate: it has expired, or is not valid yet. Empty
   * if it is valid or there is none.
   */
  default String problem() {
    return "";
  }
}
