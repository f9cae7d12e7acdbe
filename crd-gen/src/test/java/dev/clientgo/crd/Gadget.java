package dev.clientgo.crd;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kind with everything that a schema can say. */
@CustomResource(
    group = "shop.example.com",
    version = "v1",
    scope = CustomResource.Scope.CLUSTER,
    selectableFields = ".spec.color")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
public record Gadget(@Nullable ObjectMeta metadata, Spec spec, @Nullable Status status) {

  /** Colors, of which one has another name in JSON. */
  public enum Color {
    RED,
    @JsonProperty("dark blue")
    BLUE,
    GREEN {
      @Override
      public String toString() {
        return "green";
      }
    }
  }

  /** What happens: one of two, told apart by a field. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
  public sealed interface Action permits Call, Log {}

  /** Calls a server. */
  @ValidationRule(rule = "self.url.startsWith('https:')", message = "the server needs TLS")
  public record Call(String url, @Schema(minimum = 1) @Nullable Integer tries) implements Action {}

  /** Writes a line. */
  public record Log(@Nullable String text) implements Action {}

  /** Where it lives: one of two, each in its own field. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
  public sealed interface Source permits Git, Disk {}

  /** A repository. */
  public record Git(String url, @Schema(defaultValue = "main") String branch) implements Source {}

  /** A folder. */
  public record Disk(@Schema(pattern = "^/") String path) implements Source {}

  /** A part with a key. */
  public record Part(@Schema(maxLength = 8) String name, @Nullable String note) {}

  /** A pair that is a member of a set. */
  public record Pair(int left, int right) {}

  /** The wanted state. */
  @ValidationRule(
      rule = "self.min <= self.max",
      message = "min must not exceed max",
      reason = "FieldValueInvalid",
      fieldPath = ".min")
  @SuppressWarnings("ArrayRecordComponent") // Such a component must have a schema, too.
  public record Spec(
      @PrinterColumn Color color,
      @Schema(minimum = 0, maximum = 10) int min,
      @Schema(minimum = 0, exclusiveMinimum = true, multipleOf = 5) long max,
      @Schema(minimum = 0.5, maximum = 2.5) @Nullable Double ratio,
      @Nullable BigDecimal price,
      @Schema(defaultValue = "true") boolean enabled,
      @Schema(nullable = true) @Nullable String maybe,
      @Schema(format = "ipv4") @Nullable String address,
      @Schema(minLength = 2, maxLength = 4, pattern = "^[a-z]+$") @Nullable String code,
      @Schema(enumValues = {"S", "L"}) @Nullable String size,
      @Schema(minItems = 1, maxItems = 2)
          @Nullable
              List<@Schema(pattern = "^[a-z]+$") @ValidationRule(rule = "self != 'root'") String>
              users,
      @Nullable Set<String> tags,
      @Nullable Set<Pair> pairs,
      @Schema(listType = Schema.ListType.MAP, listMapKeys = "name") @Nullable List<Part> parts,
      @Schema(maxProperties = 2) @Nullable Map<String, @Schema(maximum = 9) Integer> limits,
      @Nullable Map<Color, List<String>> byColor,
      @Nullable Map<String, Object> settings,
      @Nullable Object anything,
      @Nullable Unstructured template,
      @Nullable Instant when,
      @Nullable MicroTime exactly,
      @Nullable Duration howLong,
      byte @Nullable [] data,
      @Nullable Quantity memory,
      @Nullable IntOrString port,
      @Nullable Action action,
      @Nullable Source source,
      @JsonProperty("class") @Nullable String clazz,
      @JsonIgnore @Nullable String secret) {}

  /** The observed state. */
  public record Status(@PrinterColumn(name = "Up since", priority = 1) @Nullable Instant since) {}
}
