package dev.clientgo.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.clientgo.apimachinery.runtime.DatabindCodec;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.yaml.YamlWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** Definitions, without a server. */
@SuppressWarnings("SameNameButDifferent") // Each case has its own Inner or Choice.
final class CustomResourceDefinitionsTest {

  private static final Path WEBSITE =
      Path.of("../examples/website-operator/src/main/crds/website.yaml");

  private static Map<String, Object> spec(Class<?> type) {
    Unstructured definition = CustomResourceDefinitions.of(type).get(0);
    Object version = definition.nestedList("spec", "versions").orElseThrow().get(0);
    Map<String, Object> schema =
        Markers.child(
            Markers.child(Markers.child(Map.of("v", version), "v"), "schema"), "openAPIV3Schema");
    return Markers.child(Markers.child(schema, "properties"), "spec");
  }

  /** A definition written by hand for an operator, and the one of the record. */
  @Test
  void website_isTheDefinitionOfTheExample() throws Exception {
    Unstructured byHand =
        CustomResourceDefinitions.read("website.yaml", Files.readString(WEBSITE)).get(0);

    Unstructured ours = CustomResourceDefinitions.of(Website.class).get(0);

    String common = "apiVersion={type=string}, kind={type=string}, metadata={type=object}, ";
    String pattern = "pattern=^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$, ";
    assertThat(
            sorted(ours.nestedMap("spec").orElseThrow())
                .toString()
                .replace(common, "")
                .replace(pattern, ""))
        .isEqualTo(
            sorted(byHand.with("WebsiteList", "spec", "names", "listKind").nestedMap("spec").get())
                .toString()
                .replace(
                    "[type, status, lastTransitionTime, reason, message]",
                    "[lastTransitionTime, message, reason, status, type]"));
  }

  @Test
  void database_isTheExampleOfThePage() throws Exception {
    String schema = YamlWriter.format(Map.of("spec", spec(Database.class)));

    assertThat(Files.readString(Path.of("../docs/crd-gen.md")))
        .contains("```yaml\n" + schema + "```\n");
  }

  private static Object sorted(Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<Object, Object> sorted = new TreeMap<>();
      map.forEach((key, value) -> sorted.put(key, sorted(value)));
      return sorted;
    }
    return tree instanceof List<?> list
        ? list.stream().map(CustomResourceDefinitionsTest::sorted).toList()
        : tree;
  }

  @Test
  void text_isTheSameWhateverTheOrder() {
    String text =
        CustomResourceDefinitions.toYaml(
            CustomResourceDefinitions.of(Website.class, Gadget.class, Old.class, New.class));

    assertThat(text)
        .isEqualTo(
            CustomResourceDefinitions.toYaml(
                CustomResourceDefinitions.of(New.class, Old.class, Gadget.class, Website.class)))
        .startsWith("---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n");
    assertThat(CustomResourceDefinitions.read("text", text)).hasSize(3);
  }

  @CustomResource(
      group = "example.com",
      version = "v1beta1",
      kind = "Box",
      served = false,
      deprecationWarning = "use v1")
  record Old(int size) {}

  @CustomResource(group = "example.com", version = "v1", kind = "Box", storage = true)
  record New(long size, @Nullable Map<String, Object> status) {}

  @Test
  void versions_ofOneKind_areInOneDefinition() {
    Unstructured box = CustomResourceDefinitions.of(New.class, Old.class).get(0);

    assertThat(box.metadata().name()).isEqualTo("boxes.example.com");
    assertThat(box.toYaml())
        .containsSubsequence(
            "name: v1\n",
            "served: true\n    storage: true\n    subresources:\n      status: {}\n",
            "deprecated: true\n    deprecationWarning: use v1\n    name: v1beta1\n",
            "served: false\n    storage: false\n");
  }

  @Test
  void plural_followsTheRules() {
    assertThat(
            CustomResourceDefinitions.of(Policy.class, Gateway.class).stream()
                .map(each -> each.metadata().name()))
        .containsExactly("gateways.example.com", "policies.example.com");
  }

  @CustomResource(group = "example.com", version = "v1")
  record Policy() {}

  @CustomResource(group = "example.com", version = "v1")
  record Gateway() {}

  @CustomResource(group = "example.com", version = "v1")
  record Opening(@Schema(optional = true) Inner spec) {
    record Inner(Locale language) {}
  }

  @Test
  void classWithoutASchema_isRefusedWithAllThatMayBeDone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CustomResourceDefinitions.of(Opening.class))
        .withMessage(
            Opening.class.getName()
                + ", .spec.language: java.util.Locale has no schema: make it a record, an enum or a"
                + " sealed interface of records; or annotate it with @Schema(type = ...), and if"
                + " that is \"object\", with preserveUnknownFields = true");
  }

  @CustomResource(group = "example.com", version = "v1")
  record Open(@Schema(optional = true) Inner spec) {
    @JsonIgnoreProperties(value = "hidden", ignoreUnknown = true)
    record Inner(
        String hidden,
        @JsonAnySetter Map<String, Object> more,
        @Schema(type = "string") @Nullable Locale language,
        @Schema(type = "object", preserveUnknownFields = true) @Nullable Open nested,
        @Schema(defaultValue = "[1, 2]") List<? extends Integer> numbers,
        @Schema(defaultValue = "{a: b}") Map<String, String> labels) {}
  }

  @Test
  void annotations_replaceWhatTheTypeCannotSay() {
    Map<String, Object> spec = spec(Open.class);

    assertThat(spec).containsEntry("x-kubernetes-preserve-unknown-fields", true);
    assertThat(spec).doesNotContainKey("required");
    assertThat(Markers.child(spec, "properties").toString())
        .contains("language={type=string}")
        .contains("nested={type=object, x-kubernetes-preserve-unknown-fields=true}")
        .contains("default=[1, 2]")
        .contains("default={a=b}")
        .doesNotContain("more", "hidden");
  }

  @CustomResource(group = "example.com", version = "v1")
  record Coding(Types spec) {
    record Types(Address address, Size size, @Schema(type = "string") Port port, Color color) {}

    @Schema(type = "string", format = "ipv4")
    record Address(int bits) {}

    @Schema(type = "integer", maximum = 2)
    enum Size {
      ONE
    }

    record Port(@JsonValue int value) {}

    enum Color {
      @JsonProperty(index = 1)
      RED
    }
  }

  @Test
  void typesOfACodec_areWhatTheAnnotationSays() {
    assertThat(Markers.child(spec(Coding.class), "properties"))
        .hasToString(
            "{address={format=ipv4, type=string}, color={enum=[RED], type=string},"
                + " port={type=string}, size={maximum=2, type=integer}}");
  }

  @CustomResource(group = "example.com", version = "v1")
  record Dotted(@PrinterColumn(name = "Zone") @JsonProperty("example.com/zone") String zone) {}

  /** Without the escape, the column would always be empty. */
  @Test
  void columnOfANameWithADot_escapesIt() {
    assertThat(CustomResourceDefinitions.of(Dotted.class).get(0).toYaml())
        .contains("- jsonPath: .example\\.com/zone\n");
  }

  // ------------------------------------------------------------------------------------- Errors

  record NotAnnotated(String a) {}

  @CustomResource(group = "example", version = "v1")
  record NoDomain(String a) {}

  @CustomResource(group = "example.com", version = "v1")
  record Node(Inner spec) {
    record Inner(@Nullable List<Inner> children) {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Keys(Map<Integer, String> spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record Empty(Optional<String> spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record Generic(Holder<String> spec) {
    record Holder<T>(T value) {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Unmarked(Choice spec) {
    sealed interface Choice {}

    record One(int a) implements Choice {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Clash(Choice spec) {
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
    sealed interface Choice {}

    record One(int a) implements Choice {}

    record Two(String a) implements Choice {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Unnamed(Choice spec) {
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    sealed interface Choice {}

    record One(int a) implements Choice {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record DefaultInUnion(Choice spec) {
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
    sealed interface Choice {}

    record One(@Schema(defaultValue = "1") int a) implements Choice {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Unwrapped(@JsonUnwrapped Set<String> spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record Single(Value spec) {
    record Value(@JsonValue int value) {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Lower(Level spec) {
    enum Level {
      LOW;

      @JsonValue
      String text() {
        return "low";
      }
    }
  }

  @CustomResource(group = "example.com", version = "v1")
  record Snake(Names spec) {
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Names(String firstName) {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Serialized(Texts spec) {
    record Texts(@JsonSerialize(using = ToStringSerializer.class) int number) {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Formatted(Texts spec) {
    record Texts(@JsonFormat(shape = JsonFormat.Shape.STRING) int number) {}
  }

  @CustomResource(group = "example.com", version = "v1")
  record Numbered(Level spec) {
    @JsonFormat(shape = JsonFormat.Shape.NUMBER)
    enum Level {
      LOW
    }
  }

  @CustomResource(group = "example.com", version = "v1")
  record WrongConstraint(@Schema(minLength = 1) int spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record WrongRange(@Schema(minimum = 2, maximum = 1) int spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record Fraction(@Schema(minimum = 0.5) int spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record WrongPattern(@Schema(pattern = "(") String spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record WrongDefault(@Schema(defaultValue = "many") int spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record BrokenDefault(@Schema(defaultValue = "[") List<String> spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record UnknownDefault(@Schema(enumValues = "a", defaultValue = "b") String spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record NoKey(
      @Schema(listType = Schema.ListType.MAP, listMapKeys = "id") List<Gadget.Part> spec) {}

  @CustomResource(group = "example.com", version = "v1")
  record OptionalKey(
      @Schema(listType = Schema.ListType.MAP, listMapKeys = "note") List<Gadget.Part> spec) {}

  @CustomResource(group = "example.com", version = "v1")
  @ScaleSubresource
  record NoScale(Map<String, Gadget.Part> spec, Gadget.Part status) {}

  @CustomResource(group = "example.com", version = "v1")
  @PrinterColumn(name = "Phase", jsonPath = ".status.phase")
  record NoColumn(Gadget.Part status) {}

  @CustomResource(group = "example.com", version = "v1")
  record Column(List<Inner> spec) {
    record Inner(@PrinterColumn int size) {}
  }

  @CustomResource(plural = "others")
  record Named(int spec) {
    public static final ResourceType<Unstructured> TYPE =
        ResourceType.namespaced(
            new GroupVersionKind("example.com", "v1", "Named"), "names", Unstructured.CODEC);
  }

  record Coded(Parts spec) {
    public static final ResourceType<Unstructured> TYPE =
        ResourceType.namespaced(
            new GroupVersionKind("example.com", "v1", "Coded"), "codes", Unstructured.CODEC);

    record Parts(int a) {
      public static final Object CODEC = DatabindCodec.of(Parts.class);
    }
  }

  static List<Arguments> errors() {
    return List.of(
        Arguments.of(NotAnnotated.class, ": it has neither @CustomResource nor a constant TYPE"),
        Arguments.of(NoDomain.class, ": @CustomResource needs a version, and a group that is a"),
        Arguments.of(Node.class, ", .spec.children[]: Inner contains itself"),
        Arguments.of(Keys.class, ", .spec: the keys of a map in JSON are strings, not java.lang.I"),
        Arguments.of(Empty.class, ", .spec: databind writes an empty Optional as null"),
        Arguments.of(Generic.class, "is generic; only lists, sets, collections and maps may"),
        Arguments.of(
            Unmarked.class, ", .spec: Choice is a sealed interface, and no codec can tell"),
        Arguments.of(Clash.class, ", .spec.a: two types of the union have this field with differ"),
        Arguments.of(Unnamed.class, "needs @JsonTypeName, the name in the discriminator"),
        Arguments.of(DefaultInUnion.class, ", .spec.a: a default here would be set in all types"),
        Arguments.of(Unwrapped.class, ", .spec: @JsonUnwrapped has no schema; nest the record"),
        Arguments.of(Single.class, ", .spec: @JsonValue is not read; annotate the component with"),
        Arguments.of(Lower.class, ", .spec: @JsonValue is not read; annotate the component with"),
        Arguments.of(Snake.class, ", .spec: @JsonNaming is not read; annotate the component with"),
        Arguments.of(Serialized.class, ", .spec.number: @JsonSerialize is not read; annotate the"),
        Arguments.of(Formatted.class, ", .spec.number: @JsonFormat is not read; annotate the"),
        Arguments.of(Numbered.class, ", .spec: @JsonFormat is not read; annotate the component"),
        Arguments.of(WrongConstraint.class, ", .spec: minLength is for the type string, but this"),
        Arguments.of(WrongRange.class, ", .spec: the minimum is above the maximum"),
        Arguments.of(Fraction.class, ", .spec: minimum 0.5 of an integer must be a whole number"),
        Arguments.of(WrongPattern.class, ", .spec: the pattern is no regular expression"),
        Arguments.of(WrongDefault.class, ", .spec: the default many is no integer"),
        Arguments.of(BrokenDefault.class, ", .spec: the default \"[\" is not YAML"),
        Arguments.of(UnknownDefault.class, ", .spec: the default b is none of [a]"),
        Arguments.of(NoKey.class, ", .spec: the elements have no field id, a key of the list"),
        Arguments.of(OptionalKey.class, ", .spec: the key note may be absent; make it not nulla"),
        Arguments.of(NoScale.class, "there is no field replicas; the fields are [name, note]"),
        Arguments.of(NoColumn.class, "the column Phase has the path .status.phase, but there is n"),
        Arguments.of(Column.class, ", .spec[].size: a column in a list or map needs a jsonPath"),
        Arguments.of(Named.class, ": @CustomResource does not name the resource of TYPE"));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void typeWithoutASchema_isNamedWithItsPath(Class<?> type, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CustomResourceDefinitions.of(type))
        .withMessageStartingWith(type.getName())
        .withMessageContaining(message);
  }

  @Test
  void codecOfDatabind_hasNoNames_andThoseOfComponentsCount() {
    assertThat(Markers.child(spec(Coded.class), "properties")).containsKey("a");
  }

  @CustomResource(group = "example.com", version = "v2", kind = "Box")
  record Second() {}

  @CustomResource(group = "example.com", version = "v1", kind = "Bax", plural = "boxes")
  record OtherKind() {}

  @CustomResource(group = "example.com", version = "v3", kind = "Box", plural = "boxen")
  record OtherPlural() {}

  @Test
  void versionsThatDoNotFit_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CustomResourceDefinitions.of(New.class, OtherPlural.class))
        .withMessageContaining("the kind Box of example.com has the plurals boxen and boxes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CustomResourceDefinitions.of(Old.class, Second.class))
        .withMessageContaining("0 of the versions [v1beta1, v2] are stored; annotate one with");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CustomResourceDefinitions.of(New.class, OtherKind.class))
        .withMessageContaining("differ in kind or scope");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CustomResourceDefinitions.of(New.class, Old.class, Old.class))
        .withMessageContaining("two records are the version v1beta1");
  }
}
