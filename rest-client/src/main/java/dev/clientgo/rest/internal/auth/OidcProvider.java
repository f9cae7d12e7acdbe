package dev.clientgo.rest.internal.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.config.OidcConfig;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.text.HeaderValues;
import dev.clientgo.rest.internal.text.Query;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Requests new tokens from an OpenID Connect provider, each time over a new connection. */
class OidcProvider implements AutoCloseable {

  private final Function<RestConfig, ProviderConnection> connections;

  /** The connection of the current request. */
  private volatile @Nullable ProviderConnection open;

  private volatile boolean closed;

  OidcProvider(Function<RestConfig, ProviderConnection> connections) {
    this.connections = connections;
  }

  /**
   * New tokens.
   *
   * @param refreshToken null if the old one stays valid
   */
  record Tokens(String idToken, @Nullable String refreshToken) {

    @Override
    public String toString() {
      return "Tokens[]";
    }
  }

  /**
   * Refreshes the tokens.
   *
   * @throws ConfigException if that fails
   * @throws InterruptedException if the thread is interrupted
   */
  Tokens refresh(OidcConfig config) throws InterruptedException {
    String refreshToken = config.refreshToken();
    if (refreshToken == null) {
      throw failure(
          config, "has an id-token that is missing or expired, and no refresh-token: log in", null);
    }
    try {
      String endpoint =
          text(
              get(
                  config,
                  config.issuer().replaceFirst("/$", "") + "/.well-known/openid-configuration"),
              "token_endpoint");
      if (endpoint == null) {
        throw failure(
            config, "cannot be refreshed: " + config.issuer() + " names no token_endpoint", null);
      }
      Map<?, ?> answer = token(config, endpoint, refreshToken);
      String idToken = text(answer, "id_token");
      if (idToken == null || !HeaderValues.isValid(idToken)) {
        throw failure(
            config, "cannot be refreshed: " + endpoint + " responded without an id_token", null);
      }
      return new Tokens(idToken, text(answer, "refresh_token"));
    } catch (CodecException e) {
      throw failure(
          config, "cannot be refreshed: the response of the provider is not a JSON object", null);
    } catch (IllegalArgumentException e) {
      // The token_endpoint is not a URL, or the certificate authority is not base64.
      throw failure(config, "cannot be refreshed: " + e.getMessage(), e);
    } catch (ConfigException e) {
      throw e;
    } catch (KubernetesException e) {
      throw failure(
          config, "cannot be refreshed: " + e.getMessage() + ": if this persists, log in again", e);
    }
  }

  /**
   * As in client-go: first with a header, then in the body for providers that do not accept that.
   */
  private Map<?, ?> token(OidcConfig config, String endpoint, String refreshToken)
      throws InterruptedException {
    Query form = new Query();
    form.add("grant_type", "refresh_token");
    form.add("refresh_token", refreshToken);
    String id = config.clientId();
    String secret = config.clientSecret();
    String both = escape(id) + ":" + (secret == null ? "" : escape(secret));
    String basic = "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
    try {
      return post(config, endpoint, form, basic);
    } catch (ApiStatusException e) {
      form.add("client_id", id);
      if (secret != null) {
        form.add("client_secret", secret);
      }
      return post(config, endpoint, form, null);
    }
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private Map<?, ?> get(OidcConfig config, String url) throws InterruptedException {
    try (ProviderConnection connection = connect(config, url)) {
      return object(connection.get(url));
    }
  }

  private Map<?, ?> post(OidcConfig config, String url, Query form, @Nullable String authorization)
      throws InterruptedException {
    try (ProviderConnection connection = connect(config, url)) {
      return object(connection.post(url, form.encode(), authorization));
    }
  }

  private ProviderConnection connect(OidcConfig config, String url) {
    RestConfig.Builder rest = RestConfig.builder(URI.create(url).resolve("/").toString());
    PemSource authority = config.certificateAuthority();
    if (authority != null) {
      rest.certificateAuthority(authority);
    }
    ProviderConnection connection = connections.apply(rest.build());
    open = connection;
    if (closed) {
      connection.close();
    }
    return connection;
  }

  /** Ends the current request; it and all later ones fail. */
  @Override
  public void close() {
    closed = true;
    ProviderConnection connection = open;
    if (connection != null) {
      connection.close();
    }
  }

  private static Map<?, ?> object(byte[] json) {
    if (JsonReader.of(json).nextTree() instanceof Map<?, ?> object) {
      return object;
    }
    throw CodecException.malformed("no JSON object", "", -1, null);
  }

  private static @Nullable String text(Map<?, ?> object, String field) {
    return object.get(field) instanceof String text && !text.isEmpty() ? text : null;
  }

  private static ConfigException failure(
      OidcConfig config, String problem, @Nullable Throwable cause) {
    return new ConfigException(config.describe() + " " + problem, cause);
  }
}
