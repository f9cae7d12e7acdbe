package dev.clientgo.envtest.internal.kinds;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The part of a CustomResourceDefinition that says how objects are stored and converted. */
final class DefinitionVersions {

  private static final String WEBHOOK = "Webhook";
  private static final String CONVERSION = "spec.conversion";
  private static final String CLIENT_CONFIG = CONVERSION + ".webhookClientConfig";
  private static final String REVIEW_VERSIONS = CONVERSION + ".conversionReviewVersions";
  private static final String[] STORED_VERSIONS = {"status", "storedVersions"};

  private DefinitionVersions() {}

  /** Returns how the objects of a definition are stored. */
  static Storage storage(Map<String, Object> definition) {
    return new Storage(
        storageVersion(definition),
        converts(definition)
            ? JsonTree.object(definition, "spec", "conversion", "webhook")
            : Map.of());
  }

  private static boolean converts(Map<String, Object> definition) {
    return JsonTree.string(definition, "spec", "conversion", "strategy").equals(WEBHOOK);
  }

  private static String storageVersion(Map<String, Object> definition) {
    return JsonTree.objects(definition, "spec", "versions").stream()
        .filter(version -> Boolean.TRUE.equals(version.get("storage")))
        .map(version -> JsonTree.string(version, "name"))
        .findFirst()
        .orElse("");
  }

  /** Adds the storage version to those in which objects may be stored. */
  static Unstructured withStoredVersion(Unstructured object) {
    List<String> stored = new ArrayList<>(JsonTree.strings(object.content(), STORED_VERSIONS));
    String version = storageVersion(object.content());
    if (version.isEmpty() || stored.contains(version)) {
      return object;
    }
    stored.add(version);
    return object.with(stored, STORED_VERSIONS);
  }

  /** Returns the errors of the conversion and of the stored versions. */
  static List<StatusCause> problems(Map<String, Object> definition) {
    List<StatusCause> problems = new ArrayList<>();
    checkConversion(definition, problems);
    List<String> names =
        JsonTree.objects(definition, "spec", "versions").stream()
            .map(version -> JsonTree.string(version, "name"))
            .toList();
    List<String> stored = JsonTree.strings(definition, STORED_VERSIONS);
    for (int i = 0; i < stored.size(); i++) {
      if (!names.contains(stored.get(i))) {
        problems.add(
            FieldErrors.invalid(
                "status.storedVersions[" + i + "]",
                '"' + stored.get(i) + '"',
                ("missing from spec.versions; %s was previously a storage version, and must remain"
                        + " in spec.versions until a storage migration ensures no data remains"
                        + " persisted in %s and removes %s from status.storedVersions")
                    .formatted(stored.get(i), stored.get(i), stored.get(i))));
      }
    }
    return problems;
  }

  private static void checkConversion(Map<String, Object> definition, List<StatusCause> problems) {
    Map<String, Object> conversion = JsonTree.object(definition, "spec", "conversion");
    String strategy = JsonTree.string(conversion, "strategy");
    Map<String, Object> webhook = JsonTree.object(conversion, "webhook");
    if (!List.of("", "None", WEBHOOK).contains(strategy)) {
      problems.add(
          FieldErrors.notSupported(
              CONVERSION + ".strategy", '"' + strategy + '"', "None", WEBHOOK));
    }
    if (!strategy.equals(WEBHOOK)) {
      if (webhook.get("clientConfig") instanceof Map) {
        problems.add(
            FieldErrors.forbidden(
                CLIENT_CONFIG, "should not be set when strategy is not set to Webhook"));
      }
      return;
    }
    if (!(webhook.get("clientConfig") instanceof Map)) {
      problems.add(FieldErrors.required(CLIENT_CONFIG, "required when strategy is set to Webhook"));
    } else if ((JsonTree.get(webhook, "clientConfig", "url") == null)
        == (JsonTree.get(webhook, "clientConfig", "service") == null)) {
      problems.add(
          FieldErrors.required(CLIENT_CONFIG, "exactly one of url or service is required"));
    }
    checkReviewVersions(JsonTree.strings(webhook, "conversionReviewVersions"), problems);
  }

  private static void checkReviewVersions(List<String> versions, List<StatusCause> problems) {
    if (versions.isEmpty()) {
      problems.add(FieldErrors.required(REVIEW_VERSIONS, ""));
    } else if (!versions.contains("v1") && !versions.contains("v1beta1")) {
      problems.add(
          FieldErrors.invalid(
              REVIEW_VERSIONS,
              "[\"" + String.join("\",\"", versions) + "\"]",
              "must include at least one of v1, v1beta1"));
    }
  }
}
