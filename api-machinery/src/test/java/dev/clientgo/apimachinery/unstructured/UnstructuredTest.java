package dev.clientgo.apimachinery.unstructured;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RandomJson;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.Status;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In the JSON of these tests, {@code '} stands for {@code "}. */
final class UnstructuredTest {

  private static final String JSON =
      "{'apiVersion':'sea/v1','kind':'Ship','metadata':{'name':'a','namespace':'b',"
          + "'labels':{'app':'web'},'managedFields':[{'manager':'m','fieldsV1':{'f:x':{'.':{}}}}],"
          + "'harbour':{'pier':[1]}},'spec':{'masts':3,'ratio':0.5,'none':null,'sunk':false,"
          + "'crew':['x','y'],'by':{'k':'v'},'mixed':['x',1]},'status':{}}";

  private final Unstructured ship = parse(JSON);

  // ------------------------------------------------------------------------------ Read and write

  @Test
  void parse_object_readsHeadAndMetadata() {
    assertThat(ship.apiVersion()).isEqualTo("sea/v1");
    assertThat(ship.kind()).isEqualTo("Ship");
    assertThat(ship.groupVersionKind()).isEqualTo(new GroupVersionKind("sea", "v1", "Ship"));
    assertThat(ship.metadata().name()).isEqualTo("a");
    assertThat(ship.metadata().managedFields().get(0).fieldsV1())
        .isEqualTo(RawJson.of("{\"f:x\":{\".\":{}}}"));
  }

  @Test
  void toJson_object_losesNothing() {
    assertThat(ship.toJson()).isEqualTo(JSON.replace('\'', '"'));
    assertThat(ship).hasToString(ship.toJson());
  }

  @Test
  void parse_anyOrder_isEqual() {
    Unstructured other =
        parse("{'status':{},'spec':{'a':1,'b':2},'metadata':{'x':1,'name':'n'},'kind':'K'}");

    assertThat(other)
        .isEqualTo(
            parse("{'kind':'K','metadata':{'name':'n','x':1},'spec':{'b':2,'a':1},'status':{}}"))
        .hasSameHashCodeAs(
            parse("{'kind':'K','metadata':{'name':'n','x':1},'spec':{'b':2,'a':1},'status':{}}"));
    assertThat(other.content().keySet()).containsExactly("kind", "metadata", "status", "spec");
    for (String different :
        List.of(
            "{'kind':'L'}",
            "{'apiVersion':'v1','kind':'K'}",
            "{'kind':'K','metadata':{}}",
            "{'kind':'K','metadata':{'x':1}}",
            "{'kind':'K','spec':{}}",
            "{'kind':'K','x':null}")) {
      assertThat(parse(different)).isNotEqualTo(parse("{'kind':'K'}")).isNotEqualTo(other);
    }
  }

  @Test
  void parse_noTypeAndMetadata_isEmptyAndStaysSo() {
    Unstructured object = parse("{'x':1}");

    assertThat(object.apiVersion()).isEmpty();
    assertThat(object.kind()).isEmpty();
    assertThat(object.metadata()).isEqualTo(ObjectMeta.EMPTY);
    assertThat(object.toJson()).isEqualTo("{\"x\":1}");
    assertThat(parse("{'metadata':{}}").toJson()).isEqualTo("{\"metadata\":{}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "'x'",
        "null",
        "{'metadata':7}",
        "{'metadata':{'labels':{'a':1}}}",
        "{'kind':{}}",
        "{",
        "{} {}",
        ""
      })
  void parse_noObject_throws(String json) {
    assertThatThrownBy(() -> parse(json)).isInstanceOf(CodecException.class);
  }

  @Test
  void codec_fallback_fillsWhatIsMissing() {
    var codec = Unstructured.codec(new GroupVersionKind("sea", "v1", "Ship"));

    assertThat(JsonReader.fromBytes(codec, "{\"kind\":\"Raft\"}".getBytes(UTF_8)).toJson())
        .isEqualTo("{\"apiVersion\":\"sea/v1\",\"kind\":\"Raft\"}");
    assertThat(new String(JsonWriter.toBytes(codec, ship), UTF_8)).isEqualTo(ship.toJson());
  }

  @Test
  void type_ofAnyKind_isAResource() {
    ResourceType<Unstructured> type =
        Unstructured.type(new GroupVersionKind("sea", "v1", "Ship"), "ships", true);

    assertThat(type.isNamespaced()).isTrue();
    assertThat(type.resource().resource()).isEqualTo("ships");
    assertThat(JsonReader.fromBytes(type.codec(), "{}".getBytes(UTF_8)).kind()).isEqualTo("Ship");
  }

  @Test
  void roundTrip_randomObjects_isEqual() {
    long seed = new Random().nextLong();
    RandomJson random = new RandomJson(new Random(seed));
    for (int round = 0; round < 1_000; round++) {
      Map<String, Object> content = new LinkedHashMap<>(random.map(4));
      content.keySet().removeAll(List.of("apiVersion", "kind", "metadata"));
      content.put("metadata", new LinkedHashMap<>(Map.of("name", random.string())));

      Unstructured object = Unstructured.of(content);

      assertThat(object.content()).as("seed %s, round %s", seed, round).isEqualTo(content);
      assertThat(Unstructured.parse(object.toJson()))
          .as("seed %s, round %s", seed, round)
          .isEqualTo(object);
    }
  }

  @Test
  void fromAndTo_codec_convertWithoutLoss() {
    Status status = Status.builder().reason("Gone").code(410).build();

    Unstructured tree = Unstructured.from(Status.CODEC, status);

    assertThat(tree.nestedLong("code")).contains(410L);
    assertThat(tree.to(Status.CODEC)).isEqualTo(status);
    assertThatThrownBy(() -> tree.with("x", "code").to(Status.CODEC))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("found a string at /code");
  }

  @Test
  void jackson_thereAndBack_isEqual() {
    Unstructured object = ship.with(new BigDecimal("0.1000000000000000055"), "spec", "exact");

    assertThat(object.toJackson().path("spec").path("masts").intValue()).isEqualTo(3);
    assertThat(Unstructured.fromJackson(object.toJackson())).isEqualTo(object);
  }

  // -------------------------------------------------------------------------------------- Trees

  @Test
  void of_mutableTree_isCopied() {
    List<Object> list = new ArrayList<>(List.of(1, "x"));
    Map<String, Object> spec = new HashMap<>(Map.of("list", list));
    Map<String, Object> content = new HashMap<>(Map.of("spec", spec));

    Unstructured object = Unstructured.of(content);
    list.clear();
    spec.clear();
    content.clear();

    assertThat(object.toJson()).isEqualTo("{\"spec\":{\"list\":[1,\"x\"]}}");
    assertThatThrownBy(() -> object.content().put("x", 1))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> object.nestedList("spec", "list").get().add(1))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> object.nestedMap("spec").get().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  static Stream<Arguments> numbers() {
    return Stream.of(
        Arguments.of((byte) 1, 1L),
        Arguments.of((short) 1, 1L),
        Arguments.of(1, 1L),
        Arguments.of(1L, 1L),
        Arguments.of(1.5f, 1.5),
        Arguments.of(0.1f, 0.1),
        Arguments.of(2.0, 2.0),
        Arguments.of(BigInteger.TWO, 2L),
        Arguments.of(
            BigInteger.TWO.pow(70).add(BigInteger.ONE), new BigDecimal("1180591620717411303425")),
        Arguments.of(new BigDecimal("5"), 5L),
        Arguments.of(new BigDecimal("5.0"), 5.0),
        Arguments.of(new BigDecimal("1e400"), new BigDecimal("1e400")));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void of_anyNumber_isAsItWouldBeRead(Number number, Number expected) {
    Unstructured object = Unstructured.of(Map.of("n", number));

    assertThat(object.content().get("n")).isEqualTo(expected);
    assertThat(Unstructured.parse(object.toJson())).isEqualTo(object);
  }

  static Stream<Arguments> wrongTrees() {
    Map<Object, Object> numbered = Map.of(1, "x");
    Map<String, Object> endless = new HashMap<>();
    endless.put("x", List.of(endless));
    return Stream.of(
        argumentSet(
            "date",
            Map.of("a", List.of(1, Map.of("b/c", Thread.State.NEW))),
            "JSON has no value of class java.lang.Thread$State at /a/1/b~1c"),
        argumentSet("array", Map.of("a", new int[0]), "JSON has no value of class [I at /a"),
        argumentSet("key", Map.of("a", numbered), "JSON has no field named 1 at /a"),
        argumentSet("not a number", Map.of("a", Double.NaN), "JSON has no number NaN at /a"),
        argumentSet("endless", endless, "tree of more than 500 levels at /x/0/x"),
        argumentSet("kind", Map.of("kind", 7), "expected a string, found the number 7 at /kind"),
        argumentSet(
            "metadata", Map.of("metadata", "x"), "expected a map, found a string at /metadata"),
        argumentSet(
            "in metadata",
            Map.of("metadata", Map.of("labels", Map.of("a", 1))),
            "expected a string, found a number at /metadata/labels/a"));
  }

  @ParameterizedTest
  @MethodSource("wrongTrees")
  void of_wrongTree_tellsWhere(Map<String, ?> content, String problem) {
    assertThatThrownBy(() -> Unstructured.of(content))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(problem);
  }

  // ------------------------------------------------------------------------------------ Look-up

  @Test
  void nested_values_areFound() {
    assertThat(ship.nestedLong("spec", "masts")).contains(3L);
    assertThat(ship.nestedDouble("spec", "ratio")).contains(0.5);
    assertThat(ship.nestedDouble("spec", "masts")).contains(3.0);
    assertThat(ship.nestedBoolean("spec", "sunk")).contains(false);
    assertThat(ship.nestedString("spec", "by", "k")).contains("v");
    assertThat(ship.nestedList("spec", "mixed")).contains(List.of("x", 1L));
    assertThat(ship.nestedMap("status")).contains(Map.of());
    assertThat(ship.nestedStringList("spec", "crew")).contains(List.of("x", "y"));
    assertThat(ship.nestedStringMap("spec", "by")).contains(Map.of("k", "v"));
    assertThat(ship.nested("spec", "none")).isEmpty();
    assertThat(ship.nested()).contains(ship.content());
  }

  @Test
  void nested_head_isFoundToo() {
    assertThat(ship.nestedString("kind")).contains("Ship");
    assertThat(ship.nestedString("apiVersion")).contains("sea/v1");
    assertThat(ship.nestedString("metadata", "name")).contains("a");
    assertThat(ship.nestedStringMap("metadata", "labels")).contains(Map.of("app", "web"));
    assertThat(ship.nestedList("metadata", "harbour", "pier")).contains(List.of(1L));
    assertThat(ship.nestedMap("metadata").get()).containsKeys("name", "managedFields", "harbour");
  }

  @Test
  void nested_nothing_isEmpty() {
    for (String[] path :
        List.of(
            new String[] {"x"},
            new String[] {"x", "y"},
            new String[] {"spec", "x", "y"},
            new String[] {"spec", "none", "x"},
            new String[] {"metadata", "x"})) {
      assertThat(ship.nested(path)).isEmpty();
      assertThat(ship.nestedString(path)).isEmpty();
      assertThat(ship.nestedStringMap(path)).isEmpty();
    }
  }

  static Stream<Arguments> wrongTypes() {
    return Stream.of(
        wrong(
            s -> s.nestedString("spec", "masts"),
            "expected a string, found the number 3 at /spec/masts"),
        wrong(
            s -> s.nestedLong("spec", "ratio"),
            "expected a whole number, found the number 0.5 at /spec/ratio"),
        wrong(
            s -> s.nestedLong("spec", "by", "k"),
            "expected a whole number, found a string at /spec/by/k"),
        wrong(s -> s.nestedBoolean("status"), "expected a boolean, found a map at /status"),
        wrong(
            s -> s.nestedDouble("spec", "sunk"),
            "expected a number, found a boolean at /spec/sunk"),
        wrong(s -> s.nestedList("spec", "by"), "expected a list, found a map at /spec/by"),
        wrong(s -> s.nestedMap("spec", "crew"), "expected a map, found a list at /spec/crew"),
        wrong(
            s -> s.nestedStringList("spec", "mixed"),
            "expected a string, found the number 1 at /spec/mixed/1"),
        wrong(
            s -> s.nestedStringMap("spec"), "expected a string, found the number 3 at /spec/masts"),
        wrong(s -> s.nested("spec", "crew", "0"), "expected a map, found a list at /spec/crew"),
        wrong(s -> s.nested("kind", "x"), "expected a map, found a string at /kind"),
        wrong(
            s -> s.nested("metadata", "name", "x"),
            "expected a map, found a string at /metadata/name"));
  }

  private static Arguments wrong(Function<Unstructured, Optional<?>> look, String problem) {
    return argumentSet(problem, look, problem);
  }

  @ParameterizedTest
  @MethodSource("wrongTypes")
  void nested_ofAnotherType_tellsWhatAndWhere(
      Function<Unstructured, Optional<?>> look, String problem) {
    assertThatThrownBy(() -> look.apply(ship))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }

  // -------------------------------------------------------------------------------------- Edits

  @Test
  void with_value_sharesWhatDidNotChange() {
    Unstructured edited = ship.with(4, "spec", "masts").with(List.of(7), "status", "log", "days");

    assertThat(edited.nestedLong("spec", "masts")).contains(4L);
    assertThat(edited.nestedMap("status")).contains(Map.of("log", Map.of("days", List.of(7L))));
    assertThat(edited.nested("spec", "crew").get()).isSameAs(ship.nested("spec", "crew").get());
    assertThat(edited.metadata()).isSameAs(ship.metadata());
    assertThat(ship.nestedLong("spec", "masts")).contains(3L);
    assertThat(ship).isEqualTo(parse(JSON));
  }

  @Test
  void with_orderOfFields_staysAndNewOnesComeLast() {
    Unstructured edited = parse("{'b':1,'a':2}").with(3, "b").with(4, "c").with(null, "d");

    assertThat(edited.toJson()).isEqualTo("{\"b\":3,\"a\":2,\"c\":4,\"d\":null}");
  }

  @Test
  void with_head_changesIt() {
    Unstructured edited =
        ship.with("x", "metadata", "name")
            .with("1", "metadata", "annotations", "a/b")
            .with(true, "metadata", "harbour", "open")
            .with("Boat", "kind")
            .with("lake/v1", "apiVersion");

    assertThat(edited.metadata().name()).isEqualTo("x");
    assertThat(edited.metadata().annotations()).containsEntry("a/b", "1");
    assertThat(edited.nested("metadata", "harbour"))
        .contains(Map.of("pier", List.of(1L), "open", true));
    assertThat(edited.groupVersionKind()).isEqualTo(new GroupVersionKind("lake", "v1", "Boat"));
    assertThat(edited.with(Map.of("name", "y"), "metadata").metadata())
        .isEqualTo(ObjectMeta.builder().name("y").build());
  }

  @Test
  void with_wrongPlaceOrValue_tellsWhere() {
    assertThatThrownBy(() -> ship.with(1, "spec", "crew", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected a map, found a list at /spec/crew");
    assertThatThrownBy(() -> ship.with(1, "spec", "none", "x"))
        .hasMessage("expected a map, found null at /spec/none");
    assertThatThrownBy(() -> ship.with(Thread.State.NEW, "spec", "x"))
        .hasMessage("JSON has no value of class java.lang.Thread$State");
    assertThatThrownBy(() -> ship.with(1, "metadata", "name"))
        .hasMessageStartingWith("expected a string, found a number at /metadata/name");
    assertThatThrownBy(() -> ship.with(1, "kind")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ship.with(1)).hasMessage("path is empty");
  }

  @Test
  void without_path_removesIt() {
    assertThat(ship.without("spec").content()).doesNotContainKey("spec");
    assertThat(ship.without("spec", "by", "k").nestedMap("spec", "by")).contains(Map.of());
    assertThat(ship.without("spec", "none").nestedMap("spec").get()).doesNotContainKey("none");
    assertThat(ship.without("metadata", "labels").metadata().labels()).isEmpty();
    assertThat(ship.without("metadata", "harbour").toJson()).doesNotContain("harbour");
    assertThat(ship.without("metadata").content()).doesNotContainKey("metadata");
    assertThat(ship.without("kind").kind()).isEmpty();
    assertThat(ship.without("spec", "by").nested("spec", "crew").get())
        .isSameAs(ship.nested("spec", "crew").get());
    assertThatThrownBy(() -> ship.without()).hasMessage("path is empty");
  }

  @Test
  void without_nothingThere_isTheSameObject() {
    for (String[] path :
        List.of(
            new String[] {"x"},
            new String[] {"x", "y"},
            new String[] {"spec", "x"},
            new String[] {"spec", "crew", "0"},
            new String[] {"spec", "none", "x"},
            new String[] {"metadata", "x"})) {
      assertThat(ship.without(path)).as(Arrays.toString(path)).isSameAs(ship);
    }
  }

  @Test
  void withMetadata_other_keepsUnknownFields() {
    Unstructured edited = ship.withMetadata(ObjectMeta.builder().name("x").build());

    assertThat(edited.toJson())
        .contains("\"metadata\":{\"name\":\"x\",\"harbour\":{\"pier\":[1]}}");
  }

  @Test
  void toString_largeObject_isCutOff() {
    Unstructured large = parse("{'x':'" + "y".repeat(10_000) + "'}");

    assertThat(large.toString()).hasSizeLessThan(2_100).endsWith("…");
    assertThat(large.toJson()).hasSizeGreaterThan(10_000);
  }

  private static Unstructured parse(String json) {
    return Unstructured.parse(json.replace('\'', '"'));
  }

  @Test
  void toPrettyJson_nestedValues_areIndentedAndSorted() {
    Unstructured object =
        Unstructured.parse(
            """
            {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "web"},
             "spec": {"b": [1, {"y": 2.5, "x": "a\\"<"}, []], "a": {}, "c": null, "d": true}}
            """);

    assertThat(object.toPrettyJson())
        .isEqualTo(
            """
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "name": "web"
                },
                "spec": {
                    "a": {},
                    "b": [
                        1,
                        {
                            "x": "a\\"<",
                            "y": 2.5
                        },
                        []
                    ],
                    "c": null,
                    "d": true
                }
            }\
            """);
    assertThat(Unstructured.parse(object.toPrettyJson())).isEqualTo(object);
  }

  @Test
  void list_objectsOfSeveralKinds_isOneList() {
    Unstructured pod = Unstructured.of(Map.of("apiVersion", "v1", "kind", "Pod"));
    Unstructured job = Unstructured.of(Map.of("apiVersion", "batch/v1", "kind", "Job"));

    Unstructured list = Unstructured.list(List.of(pod, job));

    assertThat(list.kind()).isEqualTo("List");
    assertThat(list.nestedList("items")).hasValue(List.of(pod.content(), job.content()));
  }
}
