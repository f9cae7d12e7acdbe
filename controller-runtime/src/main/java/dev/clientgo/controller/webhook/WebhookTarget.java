package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.kubernetes.admissionregistration.v1.WebhookClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * How an API server reaches the webhooks. Immutable. Corresponds to the API's {@code
 * WebhookClientConfig} without its path.
 */
public final class WebhookTarget {

  private final @Nullable String url;
  private final String namespace;
  private final String service;
  private final int port;
  private final @Nullable String caBundle;

  private WebhookTarget(
      @Nullable String url, String namespace, String service, int port, @Nullable String caBundle) {
    this.url = url;
    this.namespace = namespace;
    this.service = service;
    this.port = port;
    this.caBundle = caBundle;
  }

  /**
   * Returns webhooks outside of the cluster, or beside the API server in a test.
   *
   * @param baseUrl such as {@code https://127.0.0.1:9443}
   * @throws IllegalArgumentException if it does not begin with {@code https://}, which API servers
   *     demand
   */
  public static WebhookTarget url(String baseUrl) {
    if (!baseUrl.startsWith("https://")) {
      throw new IllegalArgumentException(
          "API servers call webhooks by https:// only, not " + baseUrl);
    }
    String base = baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl;
    return new WebhookTarget(base, "", "", 0, null);
  }

  /** Returns webhooks behind the port 443 of a Service. */
  public static WebhookTarget service(String namespace, String name) {
    return service(namespace, name, 443);
  }

  /** Returns webhooks behind a Service. */
  public static WebhookTarget service(String namespace, String name, int port) {
    return new WebhookTarget(
        null, requireNonNull(namespace, "namespace"), requireNonNull(name, "name"), port, null);
  }

  /**
   * Returns this target with the authority that issued the certificate of the webhooks. Default:
   * none, for a tool that fills it in, as cert-manager does, or for a public authority.
   *
   * @param pem the certificate of the authority in PEM form
   */
  public WebhookTarget caBundle(String pem) {
    return new WebhookTarget(url, namespace, service, port, requireNonNull(pem, "pem"));
  }

  WebhookClientConfig admission(String path) {
    return WebhookClientConfig.of(
        config -> {
          config.caBundle(authority());
          if (url != null) {
            config.url(url + path);
          } else {
            config.editService(s -> s.namespace(namespace).name(service).path(path).port(port));
          }
        });
  }

  /** The API has the same type twice. */
  dev.clientgo.kubernetes.apiextensions.v1.WebhookClientConfig conversion(String path) {
    return JsonReader.fromBytes(
        dev.clientgo.kubernetes.apiextensions.v1.WebhookClientConfig.CODEC,
        JsonWriter.toBytes(WebhookClientConfig.CODEC, admission(path)));
  }

  private @Nullable Bytes authority() {
    return caBundle == null ? null : Bytes.ofUtf8(caBundle);
  }

  /** Returns the URL or the Service. */
  @Override
  public String toString() {
    return url != null ? url : "service " + namespace + "/" + service + ":" + port;
  }
}
