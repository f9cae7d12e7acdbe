package dev.clientgo.rest.internal.auth;

import dev.clientgo.rest.internal.tls.ClientIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of one request. Immutable; the text form shows no secret.
 *
 * @param authorization the value of the header {@code Authorization}, null to send none
 * @param identity the certificate for the TLS handshake, null for none
 */
public record Credential(@Nullable String authorization, @Nullable ClientIdentity identity) {

  public static final Credential NONE = new Credential(null, null);

  public static Credential bearer(String token) {
    return new Credential("Bearer " + token, null);
  }

  @Override
  public String toString() {
    return "Credential[" + (identity == null ? "" : identity) + "]";
  }
}
