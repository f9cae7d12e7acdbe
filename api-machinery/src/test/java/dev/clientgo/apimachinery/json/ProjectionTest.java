package dev.clientgo.apimachinery.json;

import static dev.clientgo.apimachinery.json.ProtobufBytes.field;
import static dev.clientgo.apimachinery.json.ProtobufBytes.join;
import static dev.clientgo.apimachinery.json.ProtobufBytes.message;
import static dev.clientgo.apimachinery.json.ProtobufBytes.string;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.Widget.Part;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.Serializer;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProjectionTest {

  private static final String METADATA =
      """
      {"name":"w","namespace":"ns","uid":"u","resourceVersion":"7","generation":3,
       "creationTimestamp":"2026-01-31T12:00:00Z","labels":{"app":"web"},
       "annotations":{"a.example.com/x":"1","b":"2"},"finalizers":["f"],
       "ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"o"}],
       "managedFields":[{"manager":"me","fieldsV1":{"f:x":{}}}]}""";

  private static final String WIDGET =
      """
      {"apiVersion":"example.com/v1","kind":"Widget","metadata":%s,
       "spec":{"node":"n1","replicas":2,"unknown":[{"a":[1,{}]}],
        "parts":[{"name":"a","image":"i1"},null,{"image":"i2","name":"b"}],
        "options":{"x":"1","y.z":"2"},"any":{"deep":{"a":1,"b":[{"c":2,"d":3}]}}},
       "phase":"Running"}"""
          .formatted(METADATA);

  /** The same object in protobuf, whose list has no null. */
  private static final byte[] PROTOBUF =
      join(
          message(
              1,
              string(1, "w"),
              string(3, "ns"),
              string(5, "u"),
              string(6, "7"),
              field(7, 3),
              message(8, field(1, 1_769_860_800)),
              message(11, string(1, "app"), string(2, "web")),
              message(12, string(1, "a.example.com/x"), string(2, "1")),
              message(12, string(1, "b"), string(2, "2")),
              message(13, string(1, "Node"), string(3, "n"), string(4, "o"), string(5, "v1")),
              string(14, "f"),
              message(17, string(1, "me"), message(7, string(1, "{\"f:x\":{}}")))),
          message(
              2,
              string(1, "n1"),
              field(2, 2),
              message(3, string(1, "a"), string(2, "i1")),
              message(3),
              message(3, string(1, "b"), string(2, "i2")),
              message(4, string(1, "x"), string(2, "1")),
              message(4, string(1, "y.z"), string(2, "2")),
              message(5, string(1, "{\"deep\":{\"a\":1,\"b\":[{\"c\":2,\"d\":3}]}}"))),
          message(3, string(1, "Running")));

  private static Widget read(Projection projection) {
    return JsonReader.fromBytes(
        JsonCodecs.project(Widget.CODEC, projection), WIDGET.getBytes(UTF_8));
  }

  private static Widget readProtobuf(Projection projection) {
    return JsonCodecs.project(Widget.CODEC, projection)
        .read(JsonReader.ofProtobuf(PROTOBUF, 0, PROTOBUF.length, DecodeContext.create()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "phase|{}|Running",
        "spec.node|{\"node\":\"n1\"}|",
        ".spec.replicas|{\"replicas\":2}|",
        "spec.parts.image|{\"parts\":[{\"image\":\"i1\"},{},{\"image\":\"i2\"}]}|",
        "spec.parts[*].image|{\"parts\":[{\"image\":\"i1\"},{},{\"image\":\"i2\"}]}|",
        "spec.parts[].image|{\"parts\":[{\"image\":\"i1\"},{},{\"image\":\"i2\"}]}|",
        "spec.parts.*.image|{\"parts\":[{\"image\":\"i1\"},{},{\"image\":\"i2\"}]}|",
        "spec.options|{\"options\":{\"x\":\"1\",\"y.z\":\"2\"}}|",
        "spec.options.x|{\"options\":{\"x\":\"1\"}}|",
        "spec.options[\"y.z\"]|{\"options\":{\"y.z\":\"2\"}}|",
        "spec.options['y.z']|{\"options\":{\"y.z\":\"2\"}}|",
        "spec.options.y\\.z|{\"options\":{\"y.z\":\"2\"}}|",
      })
  void keep_readsThatFieldAlone(String path, String spec, @Nullable String phase) {
    Projection projection = Projection.keep(path);
    JsonCodecs.check(Widget.CODEC, projection);

    for (Widget widget : List.of(read(projection), readProtobuf(projection))) {
      String read =
          widget.spec() == null
              ? "{}"
              : new String(JsonWriter.toBytes(Widget.Spec.CODEC, widget.spec()), UTF_8);
      assertThat(read).isEqualTo(spec);
      assertThat(widget.phase()).isEqualTo(phase);
    }
  }

  @Test
  void keep_always_keepsWhatCachesAndControllersRead() {
    Projection projection = Projection.keep("phase");

    ObjectMeta expected =
        JsonReader.fromBytes(ObjectMeta.CODEC, METADATA.getBytes(UTF_8))
            .with(
                m ->
                    m.annotations(null)
                        .creationTimestamp(null)
                        .managedFields(null)
                        .projection(projection));
    assertThat(read(projection).metadata()).isEqualTo(expected);
    assertThat(readProtobuf(projection).metadata()).isEqualTo(expected);
  }

  @Test
  void keep_metadata_doesNotMeanManagedFieldsUnlessTheyAreNamed() {
    assertThat(read(Projection.keep("metadata")).metadata().annotations()).hasSize(2);
    assertThat(read(Projection.keep("metadata")).metadata().managedFields()).isEmpty();
    assertThat(read(Projection.keep("metadata.managedFields")).metadata().managedFields())
        .hasSize(1);
    assertThat(Projection.keep("metadata").dropsManagedFields()).isTrue();
    assertThat(Projection.keep("metadata.managedFields").dropsManagedFields()).isFalse();
  }

  @Test
  void drop_readsAllTheRest() {
    Projection projection = Projection.drop("spec.parts.image", "metadata.annotations.b");

    Widget widget = read(projection);
    assertThat(widget.spec().parts())
        .containsExactly(new Part("a", null), new Part(null, null), new Part("b", null));
    assertThat(widget.spec().node()).isEqualTo("n1");
    assertThat(widget.metadata().annotations()).containsOnlyKeys("a.example.com/x");
    assertThat(widget.metadata().managedFields()).hasSize(1);
    assertThat(readProtobuf(projection)).isEqualTo(widget);
  }

  @Test
  void read_fieldThatIsNotKept_allocatesNothing() {
    JsonCodec<Widget> codec = JsonCodecs.project(Widget.CODEC, Projection.WITHOUT_MANAGED_FIELDS);
    StringBuilder entries = new StringBuilder("\"managedFields\":[");
    for (int i = 0; i < 2000; i++) {
      entries.append("{\"manager\":\"m-").append(i).append("\",\"fieldsV1\":{\"f:x\":{}}},");
    }
    byte[] small = WIDGET.getBytes(UTF_8);
    byte[] large = WIDGET.replace("\"managedFields\":[", entries).getBytes(UTF_8);

    long least = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) { // The JVM may allocate for itself, but not each time.
      long difference = allocated(codec, large) - allocated(codec, small);
      least = Math.min(least, difference);
    }

    assertThat(codec.read(JsonReader.of(large))).isEqualTo(codec.read(JsonReader.of(small)));
    assertThat(large).hasSizeGreaterThan(80_000);
    assertThat(least).isLessThan(1000);
  }

  private static long allocated(JsonCodec<Widget> codec, byte[] json) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    codec.read(JsonReader.of(json));
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void read_rawJson_isCutToo() {
    Widget widget = read(Projection.keep("spec.any.deep.b.c"));

    assertThat(widget.spec().any()).isEqualTo(RawJson.of("{\"deep\":{\"b\":[{\"c\":2}]}}"));
  }

  @Test
  void read_wholeObjectAfterACutOne_isWhole() {
    JsonReader in = JsonReader.of((WIDGET + WIDGET).getBytes(UTF_8));

    Widget cut = JsonCodecs.project(Widget.CODEC, Projection.keep("phase")).read(in);
    Widget whole = Widget.CODEC.read(in);

    assertThat(cut.spec()).isNull();
    assertThat(whole).isEqualTo(JsonReader.fromBytes(Widget.CODEC, WIDGET.getBytes(UTF_8)));
    assertThat(whole.metadata().projection()).isNull();
  }

  @Test
  void read_brokenValueThatIsNotKept_isAnErrorAsElsewhere() {
    String broken = WIDGET.replace("[1,{}]", "[1,{]");

    assertThatThrownBy(
            () ->
                JsonReader.fromBytes(
                    JsonCodecs.project(Widget.CODEC, Projection.keep("phase")),
                    broken.getBytes(UTF_8)))
        .hasMessageContaining("/spec");
  }

  /** The same text has another value for each projection, so a cache must not mix them up. */
  @Test
  void sharedContext_ofSeveralProjections_keepsTheirValuesApart() {
    List<Projection> projections =
        List.of(
            Projection.keep("spec.parts.image"),
            Projection.keep("spec.parts.name"),
            Projection.drop("spec.any"),
            Projection.WITHOUT_MANAGED_FIELDS);
    String large = WIDGET.replace("\"i1\"", "\"" + "i".repeat(600) + "\"");
    for (DecodeContext context : List.of(DecodeContext.create(), DecodeContext.ofStore())) {
      for (int round = 0; round < 4; round++) {
        for (String text : List.of(WIDGET, large)) {
          for (Projection projection : projections) {
            JsonCodec<Widget> codec = JsonCodecs.project(Widget.CODEC, projection);
            assertThat(codec.read(JsonReader.of(text.getBytes(UTF_8), context)))
                .isEqualTo(codec.read(JsonReader.of(text.getBytes(UTF_8))));
          }
          assertThat(Widget.CODEC.read(JsonReader.of(text.getBytes(UTF_8), context)))
              .isEqualTo(Widget.CODEC.read(JsonReader.of(text.getBytes(UTF_8))));
        }
      }
    }
  }

  @Test
  void sharedContext_ofOneProjection_sharesEqualParts() {
    DecodeContext context = DecodeContext.ofStore();
    JsonCodec<Widget> codec = JsonCodecs.project(Widget.CODEC, Projection.keep("spec.parts.image"));
    byte[] text = WIDGET.replace("\"i1\"", "\"" + "i".repeat(600) + "\"").getBytes(UTF_8);

    Widget first = codec.read(JsonReader.of(text, context));
    Widget second = codec.read(JsonReader.of(text, context));

    assertThat(second.spec()).isSameAs(first.spec());
  }

  /** Reads random trees, and cuts the whole ones by hand. */
  @Test
  void read_randomTrees_isWhatIsLeftOfTheWholeOne() {
    long seed = Long.getLong("seed", 5958);
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      Object tree = new RandomJson(random).map(4);
      List<String> path = randomPath(tree, random);
      if (path.isEmpty()) {
        continue;
      }
      boolean keep = random.nextBoolean();
      String text = "[\"" + String.join("\"][\"", path) + "\"]";
      String withRoot = "x" + text;
      Map<String, Object> object = Map.of("metadata", Map.of("name", "n"), "x", tree);
      byte[] json = JsonWriter.toBytes(JsonCodecs.TREE, object);
      Projection projection = keep ? Projection.keep(withRoot) : Projection.drop(withRoot);
      Unstructured read =
          JsonReader.fromBytes(JsonCodecs.project(Unstructured.CODEC, projection), json);
      Object expected = keep ? kept(tree, path) : dropped(tree, path);
      assertThat(read.content().get("x"))
          .as("seed %s, round %s, %s of %s", seed, i, projection, tree)
          .isEqualTo(Unstructured.of(Map.of("x", expected)).content().get("x"));
    }
  }

  private static List<String> randomPath(Object tree, Random random) {
    List<String> path = new ArrayList<>();
    Object at = tree;
    while (at instanceof Map<?, ?> map && !map.isEmpty()) {
      List<String> names =
          map.keySet().stream()
              .map(String.class::cast)
              .filter(name -> name.chars().allMatch(c -> c != '"' && c != ']' && c >= ' '))
              .toList();
      if (names.isEmpty()) {
        break;
      }
      String name = names.get(random.nextInt(names.size()));
      path.add(name);
      at = map.get(name);
      while (at instanceof List<?> list && !list.isEmpty()) {
        at = list.get(random.nextInt(list.size()));
      }
      if (random.nextInt(3) == 0) {
        break;
      }
    }
    return path;
  }

  private static @Nullable Object kept(@Nullable Object tree, List<String> path) {
    if (path.isEmpty()) {
      return tree;
    } else if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> kept = new TreeMap<>();
      if (map.containsKey(path.get(0))) {
        kept.put(path.get(0), kept(map.get(path.get(0)), path.subList(1, path.size())));
      }
      return kept;
    } else if (tree instanceof List<?> list) {
      return new ArrayList<>(list.stream().map(each -> kept(each, path)).toList());
    }
    return tree;
  }

  private static @Nullable Object dropped(@Nullable Object tree, List<String> path) {
    if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> left = new TreeMap<>();
      map.forEach(
          (name, value) -> {
            if (!name.equals(path.get(0))) {
              left.put((String) name, value);
            } else if (path.size() > 1) {
              left.put((String) name, dropped(value, path.subList(1, path.size())));
            }
          });
      return left;
    } else if (tree instanceof List<?> list) {
      return new ArrayList<>(list.stream().map(each -> dropped(each, path)).toList());
    }
    return tree;
  }

  // ---------------------------------------------------------------------------------- Checking

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spec.nodes|no field at the path spec.nodes: spec has no field \"nodes\"; did you mean node?",
        "sepc|the objects have no field \"sepc\"; did you mean spec?",
        "spec.parts.imgae|spec.parts has no field \"imgae\"; did you mean image?",
        "spec.xyz|the fields are any, node, options, parts, replicas",
        "metadata.anotations|metadata has no field \"anotations\"; did you mean annotations?",
        "spec.node.name|spec.node is a string and has no fields",
        "spec.replicas.x|spec.replicas is a number and has no fields",
        "metadata.annotations.example.com/x|metadata.annotations.example is a string",
        "metadata.creationTimestamp.x|metadata.creationTimestamp is a string",
      })
  void check_typeWithoutTheField_namesThoseLikeIt(String path, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonCodecs.check(Widget.CODEC, Projection.keep("phase", path)))
        .withMessageContaining(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonCodecs.check(Widget.CODEC, Projection.drop("phase", path)))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec.any.whatever.there.is",
        "spec.options.x",
        "metadata.labels[\"app.kubernetes.io/name\"]",
        "metadata.ownerReferences[*].uid",
        "metadata.managedFields.fieldsV1.f:spec",
        "kind"
      })
  void check_fieldThatIsThere_isAccepted(String path) {
    assertThatNoException().isThrownBy(() -> JsonCodecs.check(Widget.CODEC, Projection.keep(path)));
  }

  @Test
  void check_objectsWithoutAType_mayHaveAnyField() {
    Projection projection = Projection.keep("spec.whatever.there.is", "data");

    assertThatNoException().isThrownBy(() -> JsonCodecs.check(Unstructured.CODEC, projection));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> JsonCodecs.check(Unstructured.CODEC, Projection.keep("metadata.anotations")))
        .withMessageContaining("metadata has no field \"anotations\"; did you mean annotations?");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonCodecs.check(PartialObjectMetadata.CODEC, projection))
        .withMessageContaining("the fields are apiVersion, kind, metadata");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|a name is missing",
        "spec.|a name is missing at 5",
        "spec..node|a name is missing at 5",
        "spec.parts[0].image|write [*] instead of [0]",
        "spec.parts[*|has no end",
        "spec.parts[\"x|has no end",
        "spec.parts[*]image|a point or a bracket is missing at 13",
      })
  void keep_textThatIsNoPath_isRefused(String path, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Projection.keep(path))
        .withMessageContaining(message);
  }

  @Test
  void keep_nothing_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(Projection::keep);
    assertThatIllegalArgumentException().isThrownBy(Projection::drop);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"metadata", "metadata.name", "metadata.labels.app", "kind", "metadata.uid"})
  void drop_whatCachesRead_isRefused(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Projection.drop(path))
        .withMessageContaining("cannot drop ");
  }

  @Test
  void equals_ofTheSameFields() {
    assertThat(Projection.keep("spec", "spec.node"))
        .isEqualTo(Projection.keep("spec"))
        .hasSameHashCodeAs(Projection.keep("spec"))
        .isNotEqualTo(Projection.keep("spec.node"));
    assertThat(Projection.keep("spec.parts[*].image"))
        .isEqualTo(Projection.keep("spec.parts.image"));
    assertThat(Projection.keep("spec").and(Projection.WITHOUT_MANAGED_FIELDS))
        .isEqualTo(Projection.keep("spec"))
        .hasToString("keep(spec)");
    assertThat(Projection.keep("spec", "phase").and(Projection.drop("spec.any")))
        .isNotEqualTo(Projection.keep("spec", "phase"))
        .hasToString("keep(spec, phase) and drop(spec.any)");
    assertThat(Projection.drop("spec.any").and(Projection.drop("phase")))
        .isEqualTo(Projection.drop("phase", "spec.any"));
  }

  // ----------------------------------------------------------------------------------- Writing

  @Test
  void write_cutObject_isRefusedAlsoAfterAnEditAndAsATree() {
    Widget cut = read(Projection.keep("spec.node"));
    Widget edited = cut.withMetadata(cut.metadata().with(m -> m.resourceVersion("8")));
    Unstructured tree = Unstructured.from(Widget.CODEC, edited);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Serializer.json(Widget.CODEC).write(edited))
        .withMessageContaining("cannot write ns/w: it was read with keep(spec.node)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Serializer.json(Unstructured.CODEC).write(tree))
        .withMessageContaining("keep(spec.node)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Patch.merge(Widget.CODEC, cut, edited))
        .withMessageContaining("cannot write ns/w");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Patch.apply(Widget.CODEC, edited))
        .withMessageContaining("apply what you want of it, not what you read");
  }

  /** A log or a view may still print it. */
  @Test
  void write_cutObjectWithItsCodec_printsIt() {
    Widget cut = read(Projection.keep("spec.node"));

    assertThat(new String(JsonWriter.toBytes(Widget.CODEC, cut), UTF_8))
        .contains("\"node\":\"n1\"")
        .doesNotContain("projection");
  }

  @Test
  void write_objectWithoutManagedFields_isAllowedButNotToApply() {
    Widget widget = read(Projection.WITHOUT_MANAGED_FIELDS);

    assertThat(new String(Serializer.json(Widget.CODEC).write(widget), UTF_8))
        .contains("Running")
        .doesNotContain("managedFields");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Patch.apply(Widget.CODEC, widget))
        .withMessageContaining("drop(metadata.managedFields)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> widget.metadata().requireManagedFields())
        .withMessageContaining("the managed fields of ns/w are not known");
  }

  @Test
  void metadataOfAPart_isNotMarked() {
    String list = "{\"items\":[" + WIDGET + "]}";
    JsonReader in = JsonReader.of(list.getBytes(UTF_8));
    in.beginObject();
    in.nextName();
    in.beginArray();
    in.nextElement();
    Widget cut = JsonCodecs.project(Widget.CODEC, Projection.keep("spec")).read(in);

    assertThat(cut.metadata().projection()).isEqualTo(Projection.keep("spec"));
    assertThat(in.projection()).isNull();
  }

  @Test
  void fieldNames_areThoseOfTheTableInItsOrder() {
    assertThat(JsonCodecs.fieldNames(OwnerReference.CODEC))
        .containsExactly("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion");
    assertThat(JsonCodecs.fieldNames(JsonCodecs.STRING)).isEmpty();
  }
}
