package dev.clientgo.crd;

import dev.clientgo.apimachinery.meta.Condition;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.runtime.DatabindCodec;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The definition of the operator in examples, as a record. */
@CustomResource(shortNames = "site", categories = "all")
@ScaleSubresource(statusReplicasPath = ".status.readyReplicas")
@PrinterColumn(
    name = "Ready",
    type = "string",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@PrinterColumn(
    name = "Reason",
    type = "string",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@PrinterColumn(name = "Replicas", type = "integer", jsonPath = ".status.readyReplicas")
@PrinterColumn(name = "URL", type = "string", jsonPath = ".status.url")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
@Schema(description = "A Website asks for a web server that shows its pages.")
@ValidationRule(
    rule =
        "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && self.metadata.name.size() <="
            + " 63",
    message =
        "the name must be a DNS label that begins with a letter, since the Service has it too")
public record Website(
    String apiVersion,
    String kind,
    @Nullable ObjectMeta metadata,
    @Schema(description = "What is asked for.") Spec spec,
    @Schema(description = "What there is.") @Nullable Status status)
    implements KubernetesObject {

  /** The resource, whose objects databind reads. */
  public static final ResourceType<Website> TYPE =
      ResourceType.namespaced(
          new GroupVersionKind("web.example.com", "v1", "Website"),
          "websites",
          DatabindCodec.of(Website.class));

  /** The wanted state. */
  public record Spec(
      @Schema(
              description = "The content of each page by its file name, such as index.html.",
              minProperties = 1,
              maxProperties = 100)
          @ValidationRule(
              rule = "self.all(name, name.matches('^[-._a-zA-Z0-9]+$'))",
              message = "the name of a page may have letters, digits, dots, dashes and underscores")
          Map<String, String> pages,
      @Schema(
              description = "How many web servers run.",
              minimum = 0,
              maximum = 100,
              defaultValue = "1")
          int replicas,
      @Schema(
              description = "The host name under which the world reaches the site, if it does.",
              maxLength = 253,
              pattern = "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
          @Nullable String host,
      @Schema(
              description =
                  "The image of the web server. It serves /usr/share/nginx/html on port 8080, and"
                      + " is not root.",
              minLength = 1,
              defaultValue = "nginxinc/nginx-unprivileged:1.29")
          String image) {}

  /** The observed state. */
  public record Status(
      @Schema(description = "The generation of the object that this status is about.")
          @Nullable Long observedGeneration,
      @Schema(description = "How many web servers are ready.") @Nullable Integer readyReplicas,
      @Schema(description = "Where the site is.") @Nullable String url,
      @Schema(
              description =
                  "Ready: all replicas show this content. Progressing: they are on their way."
                      + " Degraded: they are not.",
              listType = Schema.ListType.MAP,
              listMapKeys = "type")
          @Nullable List<Condition> conditions) {}

  @Override
  public ObjectMeta metadata() {
    return metadata == null ? ObjectMeta.EMPTY : metadata;
  }

  @Override
  public Website withMetadata(ObjectMeta metadata) {
    return new Website(apiVersion, kind, metadata, spec, status);
  }
}
