package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A user of an OpenID Connect provider: an ID token, and a refresh token that obtains the next one.
 *
 * <p>Immutable. The text form shows no token. Corresponds to client-go's auth provider {@code
 * oidc}, which kubeconfigs name in {@code auth-provider}.
 */
public final class OidcConfig {

  static final String ISSUER = "idp-issuer-url";
  static final String CLIENT_ID = "client-id";
  static final String CLIENT_SECRET = "client-secret";
  static final String AUTHORITY = "idp-certificate-authority";
  static final String AUTHORITY_DATA = "idp-certificate-authority-data";
  static final String ID_TOKEN = "id-token";
  static final String REFRESH_TOKEN = "refresh-token";

  private final Map<String, String> values;
  private final String origin;
  private final Consumer<Map<String, String>> persister;

  private OidcConfig(
      Map<String, String> values, String origin, Consumer<Map<String, String>> persister) {
    this.values = values;
    this.origin = origin;
    this.persister = persister;
  }

  /**
   * Returns what a kubeconfig says.
   *
   * @param values the fields of {@code auth-provider.config}
   * @param origin where it says so, for messages
   * @param persister is told the fields when a token has been refreshed, to write them back
   * @throws ConfigException if the issuer or the client is missing, or the ID token holds a line
   *     break
   */
  public static OidcConfig of(
      Map<String, String> values, String origin, Consumer<Map<String, String>> persister) {
    for (String field : new String[] {ISSUER, CLIENT_ID}) {
      if (values.getOrDefault(field, "").isEmpty()) {
        throw new ConfigException("auth-provider oidc has no " + field);
      }
    }
    if (!HeaderValues.isValid(values.getOrDefault(ID_TOKEN, ""))) {
      throw new ConfigException("auth-provider oidc has an id-token that holds a line break");
    }
    return new OidcConfig(
        new LinkedHashMap<>(values), requireNonNull(origin), requireNonNull(persister));
  }

  @Nullable String get(String field) {
    String value = values.get(field);
    return value == null || value.isEmpty() ? null : value;
  }

  String issuer() {
    return requireNonNull(get(ISSUER));
  }

  /** Returns the same with other tokens. */
  OidcConfig with(String idToken, @Nullable String refreshToken) {
    Map<String, String> renewed = new LinkedHashMap<>(values);
    renewed.put(ID_TOKEN, idToken);
    if (refreshToken != null) {
      renewed.put(REFRESH_TOKEN, refreshToken);
    }
    return new OidcConfig(renewed, origin, persister);
  }

  void persist() {
    persister.accept(new LinkedHashMap<>(values));
  }

  String describe() {
    return "auth-provider oidc (of " + origin + ")";
  }

  /** Returns the issuer and where it is configured. */
  @Override
  public String toString() {
    return describe() + " at " + issuer();
  }
}
