package dev.clientgo.rest;

import org.jspecify.annotations.Nullable;

/**
 * What one request proves its sender by. Immutable; the text form shows nothing.
 *
 * @param authorization the value of the header {@code Authorization}, null to send none
 * @param identity the certificate to show in the TLS handshake, null for none
 */
record Credential(@Nullable String authorization, @Nullable ClientIdentity identity) {

  static final Credential NONE = new Credential(null, null);

  static Credential bearer(String token) {
    return new Credential("Bearer " + token, null);
  }

  @Override
  public String toString() {
    return "Credential[" + (identity == null ? "" : identity) + "]";
  }
}
