package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.controller.webhook.Webhook.Phase;
import dev.clientgo.kubernetes.admissionregistration.v1.MutatingWebhook;
import dev.clientgo.kubernetes.admissionregistration.v1.MutatingWebhookConfiguration;
import dev.clientgo.kubernetes.admissionregistration.v1.ValidatingWebhook;
import dev.clientgo.kubernetes.admissionregistration.v1.ValidatingWebhookConfiguration;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceConversion;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.RESTClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects that tell an API server of the webhooks of a server. Immutable.
 *
 * <p>{@link #install} writes them, for tests and for operators that register themselves. A manifest
 * can have the text of {@code Unstructured.from(ValidatingWebhookConfiguration.CODEC, …).toYaml()}.
 */
public final class WebhookConfigurations {

  private static final List<String> REVIEW_VERSIONS = List.of("v1");

  private final String name;
  private final List<Webhook> webhooks;
  private final List<Conversion> conversions;
  private final WebhookTarget target;

  WebhookConfigurations(
      String name, List<Webhook> webhooks, List<Conversion> conversions, WebhookTarget target) {
    this.name = requireNonNull(name, "name");
    this.webhooks = webhooks;
    this.conversions = conversions;
    this.target = requireNonNull(target, "target");
  }

  /** Returns the configuration of the mutating webhooks; empty if there are none. */
  public Optional<MutatingWebhookConfiguration> mutating() {
    List<MutatingWebhook> all = of(Phase.MUTATE);
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(MutatingWebhookConfiguration.of(name, c -> c.webhooks(all)));
  }

  /** Returns the configuration of the validating webhooks; empty if there are none. */
  public Optional<ValidatingWebhookConfiguration> validating() {
    List<ValidatingWebhook> all =
        of(Phase.VALIDATE).stream().map(WebhookConfigurations::validatingWebhook).toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(ValidatingWebhookConfiguration.of(name, c -> c.webhooks(all)));
  }

  /** Returns the field {@code spec.conversion} of definitions, by the name of the definition. */
  public Map<String, CustomResourceConversion> conversions() {
    Map<String, CustomResourceConversion> all = new LinkedHashMap<>();
    for (Conversion conversion : conversions) {
      all.put(
          conversion.definition(),
          CustomResourceConversion.of(
              c ->
                  c.strategy("Webhook")
                      .editWebhook(
                          w ->
                              w.conversionReviewVersions(REVIEW_VERSIONS)
                                  .clientConfig(target.conversion(Conversion.PATH)))));
    }
    return all;
  }

  private List<MutatingWebhook> of(Phase phase) {
    return webhooks.stream()
        .filter(webhook -> webhook.phase() == phase)
        .map(webhook -> webhook.registration(target))
        .toList();
  }

  /** The types have the same fields, but that only a mutating webhook can be called again. */
  private static ValidatingWebhook validatingWebhook(MutatingWebhook webhook) {
    return JsonReader.fromBytes(
        ValidatingWebhook.CODEC, JsonWriter.toBytes(MutatingWebhook.CODEC, webhook));
  }

  /**
   * Writes the configurations to a server, by server-side apply, and sets {@code spec.conversion}
   * of the definitions. The server calls the webhooks soon after, not at once.
   *
   * @param client a client of a user who may write these objects
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server refuses an object, or
   *     does not have a definition
   * @throws InterruptedException if the thread is interrupted
   */
  public void install(RESTClient client) throws InterruptedException {
    ApplyOptions options = ApplyOptions.of(name).force();
    for (Map.Entry<String, CustomResourceConversion> entry : conversions().entrySet()) {
      RawJson conversion = RawJson.of(CustomResourceConversion.CODEC, entry.getValue());
      Patch patch = Patch.merge("{\"spec\":{\"conversion\":" + conversion + "}}");
      client.resource(CustomResourceDefinition.TYPE).patch(entry.getKey(), patch);
    }
    if (mutating().isPresent()) {
      client.resource(MutatingWebhookConfiguration.TYPE).apply(mutating().get(), options);
    }
    if (validating().isPresent()) {
      client.resource(ValidatingWebhookConfiguration.TYPE).apply(validating().get(), options);
    }
  }

  /** Returns the name of the configurations and the target. */
  @Override
  public String toString() {
    return name + " at " + target;
  }
}
