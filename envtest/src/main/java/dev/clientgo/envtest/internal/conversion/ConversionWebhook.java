package dev.clientgo.envtest.internal.conversion;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.webhooks.WebhookCalls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The conversion webhook of a kind. Corresponds to {@code webhookConverter} in {@code
 * apiextensions-apiserver}, whose errors it repeats.
 *
 * @param tree {@code spec.conversion.webhook} of the definition
 * @param calls sends the reviews
 */
record ConversionWebhook(Map<String, Object> tree, WebhookCalls calls) {

  private static final int TIMEOUT_SECONDS = 30;
  private static final String GROUP = "apiextensions.k8s.io/";

  /**
   * Returns an object in another version.
   *
   * @throws ApiStatusException if the webhook does not convert it, or breaks the rules
   */
  Unstructured convert(Unstructured object, String apiVersion) {
    String failure = "conversion webhook for " + name(object.groupVersionKind());
    Map<String, Object> original = object.content();
    List<Map<String, Object>> converted;
    try {
      converted = call(original, apiVersion);
    } catch (IOException | KubernetesException e) {
      throw ApiErrors.unexplained(failure + " failed: " + e.getMessage());
    }
    if (converted.size() != 1) {
      throw ApiErrors.unexplained(
          failure + " returned " + converted.size() + " objects, expected 1");
    }
    try {
      return Unstructured.of(new ConvertedObject(original, converted.get(0)).checked(apiVersion));
    } catch (InvalidConversionException e) {
      throw ApiErrors.unexplained(failure + " returned invalid " + e.getMessage());
    }
  }

  private List<Map<String, Object>> call(Map<String, Object> object, String apiVersion)
      throws IOException {
    String uid = UUID.randomUUID().toString();
    String reviewVersion = reviewVersion();
    Map<String, Object> review =
        JsonTree.of(
            "kind",
            "ConversionReview",
            "apiVersion",
            reviewVersion,
            "request",
            JsonTree.of("uid", uid, "desiredAPIVersion", apiVersion, "objects", List.of(object)));
    Map<String, Object> answer =
        calls.send(JsonTree.object(tree, "clientConfig"), TIMEOUT_SECONDS, review);
    String kind = JsonTree.string(answer, "kind");
    String version = JsonTree.string(answer, "apiVersion");
    if (kind.equals("ConversionReview") && !version.equals(reviewVersion) && isKnown(version)) {
      throw new IOException(
          "converting (%s.ConversionReview) to (%s.ConversionReview): unknown conversion"
              .formatted(
                  version.substring(GROUP.length()), reviewVersion.substring(GROUP.length())));
    }
    if (!kind.equals("ConversionReview") || !version.equals(reviewVersion)) {
      throw new IOException(
          "expected webhook response of %s, Kind=ConversionReview, got %s, Kind=%s"
              .formatted(reviewVersion, version, kind));
    }
    if (!(answer.get("response") instanceof Map)) {
      throw new IOException("no response provided");
    }
    Map<String, Object> response = JsonTree.object(answer, "response");
    String answered = JsonTree.string(response, "uid");
    if (!answered.equals(uid)) {
      throw new IOException("expected response.uid=\"%s\", got \"%s\"".formatted(uid, answered));
    }
    String status = JsonTree.string(response, "result", "status");
    if (!status.equals("Success")) {
      String message = JsonTree.string(response, "result", "message");
      throw new IOException(
          message.isEmpty()
              ? "response.result.status was '" + status + "', not 'Success'"
              : message);
    }
    return JsonTree.objects(response, "convertedObjects");
  }

  /** Returns the first version of reviews that both sides know. */
  private String reviewVersion() throws IOException {
    for (String version : JsonTree.strings(tree, "conversionReviewVersions")) {
      if (isKnown(GROUP + version)) {
        return GROUP + version;
      }
    }
    throw new IOException("no supported conversion review versions");
  }

  private static boolean isKnown(String version) {
    return version.equals(GROUP + "v1") || version.equals(GROUP + "v1beta1");
  }

  private static String name(GroupVersionKind kind) {
    return kind.groupVersion() + ", Kind=" + kind.kind();
  }
}
