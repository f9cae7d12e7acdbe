package dev.clientgo.rest.config;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.internal.text.HeaderValues;
import java.nio.file.Path;
import java.util.Base64;
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

  private static final String ISSUER = "idp-issuer-url";
  private static final String CLIENT_ID = "client-id";
  private static final String CLIENT_SECRET = "client-secret";
  private static final String AUTHORITY = "idp-certificate-authority";
  private static final String AUTHORITY_DATA = "idp-certificate-authority-data";
  private static final String ID_TOKEN = "id-token";
  private static final String REFRESH_TOKEN = "refresh-token";

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
   * Reads the {@code auth-provider} of a kubeconfig.
   *
   * @param values the fields of {@code auth-provider.config}
   * @param origin the place of the configuration, for messages
   * @param persister receives the fields after a token was refreshed, to write them back
   * @throws ConfigException if the issuer or the client is missing, or the ID token contains a line
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
      throw new ConfigException("auth-provider oidc has an id-token that contains a line break");
    }
    return new OidcConfig(
        new LinkedHashMap<>(values), requireNonNull(origin), requireNonNull(persister));
  }

  /** Returns the URL of the provider. */
  public String issuer() {
    return requireNonNull(get(ISSUER));
  }

  /** Returns the name of this program at the provider. */
  public String clientId() {
    return requireNonNull(get(CLIENT_ID));
  }

  /** Returns the password of this program at the provider, null if it has none. */
  public @Nullable String clientSecret() {
    return get(CLIENT_SECRET);
  }

  /** Returns the ID token, null if there is none yet. */
  public @Nullable String idToken() {
    return get(ID_TOKEN);
  }

  /** Returns the refresh token, null if there is none. */
  public @Nullable String refreshToken() {
    return get(REFRESH_TOKEN);
  }

  /**
   * Returns the trusted certificates for the provider; null means the certificates of the JDK.
   *
   * @throws IllegalArgumentException if they are inline and not in base64
   */
  public @Nullable PemSource certificateAuthority() {
    String data = get(AUTHORITY_DATA);
    if (data != null) {
      return new PemSource.Data(Base64.getDecoder().decode(data));
    }
    String file = get(AUTHORITY);
    return file == null ? null : new PemSource.File(Path.of(file));
  }

  private @Nullable String get(String field) {
    String value = values.get(field);
    return value == null || value.isEmpty() ? null : value;
  }

  /**
   * Returns a copy with new tokens.
   *
   * @param refreshToken null to keep the current one
   */
  public OidcConfig with(String idToken, @Nullable String refreshToken) {
    Map<String, String> renewed = new LinkedHashMap<>(values);
    renewed.put(ID_TOKEN, idToken);
    if (refreshToken != null) {
      renewed.put(REFRESH_TOKEN, refreshToken);
    }
    return new OidcConfig(renewed, origin, persister);
  }

  /** Writes the tokens back to where they came from. */
  public void persist() {
    persister.accept(new LinkedHashMap<>(values));
  }

  /** Returns the kind and the place of this configuration, for messages. */
  public String describe() {
    return "auth-provider oidc (of " + origin + ")";
  }

  /** Returns the issuer and the place of the configuration. */
  @Override
  public String toString() {
    return describe() + " at " + issuer();
  }
}
