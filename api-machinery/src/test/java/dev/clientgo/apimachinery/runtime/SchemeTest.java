package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cases of apimachinery's scheme_test.go. */
final class SchemeTest {

  private static final GroupVersion V1 = new GroupVersion("example.com", "v1");
  private static final GroupVersion V2 = new GroupVersion("example.com", "v2");
  private static final GroupVersionKind STATUS = new GroupVersionKind("", "v1", "Status");

  /** Written by hand; the whole of its registration is one line. */
  record Widget(String apiVersion, String kind, ObjectMeta metadata, Spec spec)
      implements KubernetesObject {
    record Spec(Integer replicas, String color) {}

    @Override
    public Widget withMetadata(ObjectMeta metadata) {
      return new Widget(apiVersion, kind, metadata, spec);
    }
  }

  record WidgetV2(String apiVersion, String kind, ObjectMeta metadata, int count)
      implements KubernetesObject {
    @Override
    public WidgetV2 withMetadata(ObjectMeta metadata) {
      return new WidgetV2(apiVersion, kind, metadata, count);
    }
  }

  private static Scheme.Builder both() {
    return Scheme.builder()
        .add(V1, Widget.class)
        .add(V2.withKind("Widget"), WidgetV2.class, DatabindCodec.of(WidgetV2.class));
  }

  @Test
  void databind_handWrittenRecord_readsAndWritesItAndItsMetadata() {
    String json =
        """
        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w",\
        "creationTimestamp":"2026-01-02T03:04:05Z","labels":{"a":"b"}},"spec":{"replicas":3}}\
        """;
    DatabindCodec<Widget> codec = DatabindCodec.of(Widget.class);

    Widget widget =
        codec.read(JsonReader.of(json.replace("\"spec\"", "\"new\":1,\"spec\"").getBytes(UTF_8)));

    assertThat(widget.metadata().labels()).containsEntry("a", "b");
    assertThat(widget.spec()).isEqualTo(new Widget.Spec(3, null));
    assertThat(new String(JsonWriter.toBytes(codec, widget), UTF_8)).isEqualTo(json);
  }

  record Parts(Quantity memory, IntOrString port, Bytes data, RawJson any) {}

  @Test
  void databind_quantityAndItsLikes_areReadWithTheirCodecs() {
    String json = "{\"memory\":\"1.5Gi\",\"port\":\"http\",\"data\":\"aGVsbG8=\",\"any\":[1,{}]}";
    DatabindCodec<Parts> codec = DatabindCodec.of(Parts.class);

    Parts parts = codec.read(JsonReader.of(json.getBytes(UTF_8)));

    assertThat(parts.memory()).isEqualTo(Quantity.parse("1536Mi"));
    assertThat(parts.port()).isEqualTo(IntOrString.of("http"));
    assertThat(new String(JsonWriter.toBytes(codec, parts), UTF_8)).isEqualTo(json);
  }

  @Test
  void databind_wrongType_saysWhatAndGoesOn() {
    JsonReader in =
        JsonReader.of("[{\"spec\":{\"replicas\":\"many\"}},{\"kind\":\"Widget\"}]".getBytes(UTF_8));
    DatabindCodec<Widget> codec = DatabindCodec.of(Widget.class);
    in.beginArray();
    in.nextElement();

    assertThatThrownBy(() -> codec.read(in))
        .isInstanceOfSatisfying(CodecException.class, e -> assertThat(e.isRecoverable()).isTrue())
        .hasMessageContaining("cannot read " + Widget.class.getName());

    assertThat(in.nextElement()).isTrue();
    assertThat(codec.read(in).kind()).isEqualTo("Widget");
  }

  /** TestObjectKinds-like: in the order of registration; unstructured says its own. */
  @Test
  void objectKinds_typedAndUnstructured_areFound() {
    Scheme scheme =
        both()
            .add(
                new GroupVersion("other", "v1").withKind("Thing"),
                Widget.class,
                DatabindCodec.of(Widget.class))
            .build();
    Widget widget = new Widget("example.com/v1", "Widget", ObjectMeta.EMPTY, null);

    assertThat(scheme.objectKinds(widget).kinds())
        .containsExactly(V1.withKind("Widget"), new GroupVersionKind("other", "v1", "Thing"));
    assertThat(
            scheme.objectKinds(Unstructured.of(Map.of("apiVersion", "a/b", "kind", "C"))).kinds())
        .containsExactly(new GroupVersionKind("a", "b", "C"));
    assertThatThrownBy(() -> scheme.objectKinds(Unstructured.of(Map.of("apiVersion", "a/b"))))
        .hasMessageContaining("Object 'Kind' is missing");
    assertThatThrownBy(() -> scheme.objectKinds(Unstructured.of(Map.of("kind", "C"))))
        .hasMessageContaining("Object 'apiVersion' is missing");
    assertThatThrownBy(() -> scheme.objectKinds("text"))
        .isInstanceOf(Scheme.NotRegisteredException.class)
        .hasMessageContaining("java.lang.String");
  }

  /** TestAddKnownTypesIdemPotent and the double registration panic. */
  @Test
  void add_twice_sameIsFineOtherTypeIsRefused() {
    Scheme.Builder builder = Scheme.builder().add(V1, Widget.class).add(V1, Widget.class);

    assertThat(builder.build().allKnownTypes()).hasSize(1);
    assertThatThrownBy(
            () ->
                builder.add(
                    V1.withKind("Widget"), WidgetV2.class, DatabindCodec.of(WidgetV2.class)))
        .hasMessageContaining(
            "double registration of different types for example.com/v1, Kind=Widget");
    assertThatThrownBy(() -> builder.add(new GroupVersion("g", ""), Widget.class))
        .hasMessageContaining("version is required on all types");
  }

  @Test
  void newObjectAndDecode_unknownKind_saysWhatToDo() {
    Scheme scheme = both().addUnversioned(STATUS, Status.class, Status.CODEC).build();

    assertThat(scheme.newObject(V1.withKind("Widget"))).isInstanceOf(Widget.class);
    assertThat(scheme.newObject(new GroupVersionKind("any", "v9", "Status")))
        .isInstanceOf(Status.class);
    assertThat(
            scheme.decode(
                "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v2\",\"count\":4}"
                    .getBytes(UTF_8)))
        .isInstanceOfSatisfying(WidgetV2.class, widget -> assertThat(widget.count()).isEqualTo(4));
    assertThatThrownBy(
            () -> scheme.decode("{\"kind\":\"Gadget\",\"apiVersion\":\"g/v1\"}".getBytes(UTF_8)))
        .isInstanceOf(Scheme.NotRegisteredException.class)
        .hasMessage(
            "no kind \"Gadget\" is registered for version \"g/v1\"; register its type with"
                + " Scheme.Builder.add");
  }

  @Test
  void addUnversioned_otherTypeOfSameKind_isRefused() {
    Scheme.Builder builder = Scheme.builder().addUnversioned(STATUS, Status.class, Status.CODEC);

    assertThatThrownBy(
            () ->
                builder.addUnversioned(
                    V1.withKind("Status"), Widget.class, DatabindCodec.of(Widget.class)))
        .hasMessageContaining("Status is registered as unversioned type");
    assertThat(builder.build().objectKinds(Status.builder().build()).unversioned()).isTrue();
  }

  /** TestSetVersionPriority and TestMetaValues: internal versions stay hidden. */
  @Test
  void versions_priority_thenOrderOfRegistration() {
    GroupVersion v3 = new GroupVersion("example.com", "v3");
    Scheme scheme =
        both()
            .add(v3, Widget.class)
            .add(new GroupVersion("example.com", GroupVersion.INTERNAL), Widget.class)
            .add(new GroupVersion("z", "v1"), Widget.class)
            .versionPriority(v3)
            .build();

    assertThat(scheme.prioritizedVersionsForGroup("example.com")).containsExactly(v3, V1, V2);
    assertThat(scheme.versionsForGroupKind(new GroupKind("example.com", "Widget")))
        .containsExactly(v3, V1, V2);
    assertThat(scheme.preferredVersionAllGroups()).containsExactly(v3, new GroupVersion("z", "v1"));
    assertThat(scheme.prioritizedVersionsAllGroups()).hasSize(4);
    assertThat(scheme.isGroupRegistered("z")).isTrue();
    assertThat(scheme.isVersionRegistered(new GroupVersion("z", "v2"))).isFalse();
    assertThat(scheme.knownTypes(V2)).isEqualTo(Map.of("Widget", WidgetV2.class));
    assertThatThrownBy(() -> Scheme.builder().versionPriority(V1, new GroupVersion("z", "v1")))
        .hasMessageContaining("exactly one group");
    assertThatThrownBy(
            () -> Scheme.builder().versionPriority(new GroupVersion("z", GroupVersion.INTERNAL)))
        .hasMessageContaining("internal versions cannot be prioritized");
  }

  /** TestConvertToVersion and TestConvert. */
  @Test
  void convertToVersion_convertsOnlyWhereNeeded() {
    Scheme scheme =
        both()
            .addUnversioned(STATUS, Status.class, Status.CODEC)
            .conversion(
                Widget.class,
                WidgetV2.class,
                widget ->
                    new WidgetV2(
                        "example.com/v2", "Widget", widget.metadata(), widget.spec().replicas()))
            .build();
    Widget widget =
        new Widget("example.com/v1", "Widget", ObjectMeta.EMPTY, new Widget.Spec(7, null));
    Status status = Status.builder().build();

    assertThat(scheme.convertToVersion(widget, V1)).isSameAs(widget);
    assertThat(scheme.convertToVersion(widget, V2))
        .isInstanceOfSatisfying(WidgetV2.class, v2 -> assertThat(v2.count()).isEqualTo(7));
    assertThat(scheme.convertToVersion(status, V2)).isSameAs(status);
    assertThat(
            scheme.convert(
                Unstructured.of(
                    Map.of(
                        "apiVersion", "example.com/v1",
                        "kind", "Widget",
                        "spec", Map.of("replicas", 5L))),
                WidgetV2.class))
        .extracting(WidgetV2::count)
        .isEqualTo(5);
    assertThatThrownBy(
            () ->
                scheme.convertToVersion(
                    new WidgetV2("example.com/v2", "Widget", ObjectMeta.EMPTY, 1), V1))
        .isInstanceOf(Scheme.NotRegisteredException.class)
        .hasMessage(
            "no conversion is registered from "
                + WidgetV2.class.getName()
                + " to "
                + Widget.class.getName());
  }

  /**
   * Upstream: TestConvertToVersion, a type of several kinds is in all of their versions already.
   */
  @Test
  void convertToVersion_ofATypeOfSeveralKinds_findsTheOneOfTheVersion() {
    GroupVersion other = new GroupVersion("other", "v1");
    Scheme scheme =
        both()
            .add(other.withKind("Thing"), Widget.class, DatabindCodec.of(Widget.class))
            .addUnversioned(STATUS, Status.class, Status.CODEC)
            .build();
    Widget widget = new Widget("example.com/v1", "Widget", ObjectMeta.EMPTY, null);

    assertThat(scheme.convertToVersion(widget, other)).isSameAs(widget);
    assertThatThrownBy(() -> scheme.convertToVersion(widget, new GroupVersion("none", "v1")))
        .isInstanceOf(Scheme.NotRegisteredException.class)
        .hasMessage("no conversion is registered from " + Widget.class.getName() + " to none/v1");
    assertThatThrownBy(() -> scheme.convertToVersion("text", other))
        .isInstanceOf(Scheme.NotRegisteredException.class);
    Status status = Status.builder().build();
    assertThat(scheme.convertToVersion(status, other)).isSameAs(status);
  }

  /** Upstream: TestUnversionedTypes, and the conversion of unregistered types. */
  @Test
  void convert_ofAnUntypedObject_needsItsType() {
    Scheme scheme = both().addUnversioned(STATUS, Status.class, Status.CODEC).build();
    Unstructured unknown = Unstructured.parse("{\"apiVersion\":\"g/v1\",\"kind\":\"Gadget\"}");
    Unstructured status =
        Unstructured.parse("{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"code\":404}");

    assertThatThrownBy(() -> scheme.convert(unknown, Widget.class))
        .isInstanceOf(Scheme.NotRegisteredException.class)
        .hasMessageContaining("no kind \"Gadget\" is registered for version \"g/v1\"");
    assertThat(scheme.convert(status, Status.class).code()).isEqualTo(404);
    assertThat(scheme.convertToVersion(status, V1)).isInstanceOf(Status.class);
    assertThat(scheme.recognizes(STATUS)).isTrue();
    assertThat(scheme.recognizes(V1.withKind("Status"))).isFalse();
  }

  @Test
  void withDefaults_registered_isApplied() {
    Scheme scheme =
        both()
            .defaulting(
                Widget.class,
                widget ->
                    new Widget(
                        widget.apiVersion(),
                        widget.kind(),
                        widget.metadata(),
                        new Widget.Spec(1, "red")))
            .build();
    Widget widget = new Widget("example.com/v1", "Widget", ObjectMeta.EMPTY, null);

    assertThat(scheme.withDefaults(widget).spec().color()).isEqualTo("red");
    assertThat(scheme.withDefaults("text")).isEqualTo("text");
  }
}
