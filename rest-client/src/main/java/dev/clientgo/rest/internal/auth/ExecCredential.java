package dev.clientgo.rest.internal.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.yaml.YamlDocument;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.internal.text.HeaderValues;
import java.io.ByteArrayOutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input and the output of a credential plugin. The text form shows no secret.
 *
 * <p>Corresponds to {@code client.authentication.k8s.io}'s {@code ExecCredential}.
 *
 * @param token the bearer token, null if there is none
 * @param certificate the client certificate in PEM form, null if there is none
 * @param key the key of the certificate in PEM form, null if there is none
 * @param expiry when to run the plugin again, null for never
 */
public record ExecCredential(
    @Nullable String token,
    @Nullable String certificate,
    @Nullable String key,
    @Nullable Instant expiry) {

  /** The environment variable with the input of a plugin. */
  static final String VARIABLE = "KUBERNETES_EXEC_INFO";

  private static final String KIND = "ExecCredential";

  /** Returns the input of a plugin. */
  static String request(ExecConfig config, ExecCluster cluster, boolean interactive) {
    Map<String, Object> spec = new LinkedHashMap<>();
    if (config.provideClusterInfo()) {
      spec.put("cluster", cluster.toTree());
    }
    spec.put("interactive", interactive);
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("kind", KIND);
    request.put("apiVersion", config.apiVersion());
    request.put("spec", spec);
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    JsonWriter writer = JsonWriter.to(json);
    writer.tree(request);
    writer.flush();
    return json.toString(UTF_8);
  }

  /**
   * Reads the output of a plugin.
   *
   * @throws ConfigException if it is not an ExecCredential; the message does not show the output,
   *     which may contain secrets
   */
  static ExecCredential parse(byte[] output, ExecConfig config) {
    Map<?, ?> answer = document(output, config);
    Object version = answer.get("apiVersion");
    if (!KIND.equals(answer.get("kind")) || !config.apiVersion().equals(version)) {
      throw failure(
          config,
          "returned kind "
              + name(answer.get("kind"))
              + " and apiVersion "
              + name(version)
              + ", but is configured for "
              + KIND
              + " and "
              + config.apiVersion());
    }
    if (!(answer.get("status") instanceof Map<?, ?> status)) {
      throw failure(config, "did not return a status field");
    }
    ExecCredential credential =
        new ExecCredential(
            text(status, "token", config),
            text(status, "clientCertificateData", config),
            text(status, "clientKeyData", config),
            time(text(status, "expirationTimestamp", config), config));
    credential.check(config);
    return credential;
  }

  private static Map<?, ?> document(byte[] output, ExecConfig config) {
    Object answer = tree(output);
    if (answer instanceof Map<?, ?> document) {
      return document;
    }
    throw failure(
        config,
        output.length == 0
            ? "printed nothing to its standard output"
            : "printed "
                + output.length
                + " bytes that are not a JSON object: its standard output may contain only an ExecCredential");
  }

  /** Reads YAML too, as kubectl does. The error has no cause, which might quote a secret. */
  private static @Nullable Object tree(byte[] output) {
    try {
      return JsonReader.of(output).nextTree();
    } catch (CodecException e) {
      return yaml(new String(output, UTF_8));
    }
  }

  private static @Nullable Object yaml(String text) {
    try {
      List<YamlDocument> documents = YamlReader.of("the output").allowDuplicateKeys().read(text);
      return !documents.isEmpty()
              && documents.get(0).tree() instanceof Map<?, ?> map
              && map.containsKey("kind")
          ? map
          : null;
    } catch (CodecException e) {
      return null;
    }
  }

  private static @Nullable String text(Map<?, ?> status, String field, ExecConfig config) {
    Object value = status.get(field);
    if (value == null || value instanceof String) {
      return value == null || value.equals("") ? null : (String) value;
    }
    throw failure(config, "returned a status whose " + field + " is not text");
  }

  private static @Nullable Instant time(@Nullable String text, ExecConfig config) {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw failure(config, "returned an expirationTimestamp that is not an RFC 3339 time");
    }
  }

  private void check(ExecConfig config) {
    if (token == null && certificate == null && key == null) {
      throw failure(config, "did not return a token or a certificate with its key");
    }
    if ((certificate == null) != (key == null)) {
      throw failure(
          config,
          "returned only a " + (key == null ? "certificate" : "key") + ", but one needs the other");
    }
    if (token != null && !HeaderValues.isValid(token)) {
      throw failure(config, "returned a token with a line break or another control character");
    }
  }

  private static String name(@Nullable Object value) {
    String text = String.valueOf(value);
    return value instanceof String && text.length() <= 100 ? '"' + text + '"' : "(none)";
  }

  private static ConfigException failure(ExecConfig config, String problem) {
    return new ConfigException(config.describe() + " " + problem);
  }

  @Override
  public String toString() {
    return "ExecCredential[expiry=" + expiry + "]";
  }
}
