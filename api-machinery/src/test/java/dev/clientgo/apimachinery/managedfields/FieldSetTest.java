package dev.clientgo.apimachinery.managedfields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.RawJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldSetTest {

  private static final String DEPLOYMENT =
      "{\"f:spec\":{\"f:template\":{\"f:spec\":{\"f:containers\":{"
          + "\"k:{\\\"name\\\":\\\"web\\\"}\":{\".\":{},\"f:image\":{},\"f:name\":{}}}}}},"
          + "\"f:metadata\":{\"f:finalizers\":{\"v:\\\"a/b\\\"\":{}},\"f:list\":{\"i:0\":{}}}}";

  /** Upstream: TestPathElementRoundTrip in util/managedfields/internal. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "i:0",
        "i:1234",
        "f:",
        "f:spec",
        "f:more-complicated-string",
        "f:kubectl.kubernetes.io/last-applied:configuration",
        "k:{\"name\":\"my-container\"}",
        "k:{\"port\":\"8080\",\"protocol\":\"TCP\"}",
        "k:{\"optionalField\":null}",
        "k:{\"jsonField\":{\"A\":1,\"B\":null,\"C\":\"D\",\"E\":{\"F\":\"G\"}}}",
        "k:{\"listField\":[\"1\",\"2\",\"3\"]}",
        "v:null",
        "v:\"some-string\"",
        "v:1234",
        "v:{\"some\":\"json\"}"
      })
  void element_survivesATrip(String text) {
    assertThat(PathElement.parse(text)).hasToString(text);
    assertThat(PathElement.parse(text)).isEqualTo(PathElement.parse(text));
  }

  @Test
  void element_isOfTheKindThatItsLetterSays() {
    assertThat(PathElement.parse("f:a")).isEqualTo(new PathElement.Field("a"));
    assertThat(PathElement.parse("i:7")).isEqualTo(new PathElement.Index(7));
    assertThat(PathElement.parse("v:7")).isEqualTo(new PathElement.Value(7L));
    assertThat(PathElement.parse("k:{\"b\":1,\"a\":null}"))
        .isInstanceOf(PathElement.Key.class)
        .hasToString("k:{\"a\":null,\"b\":1}");
  }

  /** Upstream: TestPathElementIgnoreUnknown in util/managedfields/internal. */
  @Test
  void element_ofAnUnknownKind_isKeptAsItIs() {
    assertThat(PathElement.parse("r:Hello")).isEqualTo(new PathElement.Unknown("r:Hello"));
    assertThat(PathElement.parse("ref:x")).isEqualTo(new PathElement.Unknown("ref:x"));
  }

  /** Upstream: TestNewPathElementError in util/managedfields/internal. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no-colon",
        "i:index is not a number",
        "i:1.23",
        "i:",
        "i:-1",
        "i:99999999999",
        "v:invalid json",
        "v:",
        "v:1 2",
        "k:invalid json",
        "k:{\"name\":invalid}",
        "k:[]"
      })
  void element_thatIsNone_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PathElement.parse(text))
        .withMessageContaining(text);
  }

  @Test
  void parse_ofFieldsV1_knowsItsPaths() {
    FieldSet set = FieldSet.parse(RawJson.of(DEPLOYMENT));
    PathElement[] web = {
      new PathElement.Field("spec"),
      new PathElement.Field("template"),
      new PathElement.Field("spec"),
      new PathElement.Field("containers"),
      new PathElement.Key(Map.of("name", "web"))
    };
    List<PathElement> image = new ArrayList<>(List.of(web));
    image.add(new PathElement.Field("image"));

    assertThat(set.contains(web)).isTrue();
    assertThat(set.contains(image.toArray(PathElement[]::new))).isTrue();
    assertThat(set.contains(new PathElement.Field("spec"))).isFalse();
    assertThat(set.contains(new PathElement.Field("status"))).isFalse();
    assertThat(set.contains()).isFalse();
    assertThat(set.paths()).hasSize(5).contains(List.of(web), image);
    assertThat(set).hasToString(DEPLOYMENT);
    assertThat(set.toFieldsV1()).isEqualTo(RawJson.of(DEPLOYMENT));
  }

  @Test
  void parse_ofNothing_isEmpty() {
    assertThat(FieldSet.parse(null)).isEqualTo(FieldSet.EMPTY);
    assertThat(FieldSet.parse(RawJson.of("{}"))).isEqualTo(FieldSet.EMPTY);
    assertThat(FieldSet.parse(RawJson.of("{}")).isEmpty()).isTrue();
    assertThat(FieldSet.of()).isEqualTo(FieldSet.EMPTY);
  }

  @Test
  void parse_ofAPathThatSaysSoTwice_isTheSame() {
    assertThat(FieldSet.parse(RawJson.of("{\"f:a\":{\".\":{}}}")))
        .isEqualTo(FieldSet.parse(RawJson.of("{\"f:a\":{}}")))
        .isEqualTo(FieldSet.of(new PathElement.Field("a")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{\"f:a\":1}", "{\"a\":{}}", "{\"f:a\":{}", "{\"i:x\":{}}"})
  void parse_ofWhatIsNone_fails(String fieldsV1) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> FieldSet.parse(RawJson.of(fieldsV1)));
  }

  @Test
  void union_hasThePathsOfBoth() {
    FieldSet a = FieldSet.of(new PathElement.Field("a"), new PathElement.Field("b"));
    FieldSet b = FieldSet.of(new PathElement.Field("a"));

    assertThat(a.union(b)).hasToString("{\"f:a\":{\".\":{},\"f:b\":{}}}").isEqualTo(b.union(a));
    assertThat(a.union(b).containsAll(a)).isTrue();
    assertThat(a.union(b).containsAll(b)).isTrue();
    assertThat(a.containsAll(b)).isFalse();
    assertThat(b.containsAll(a)).isFalse();
    assertThat(a.containsAll(FieldSet.EMPTY)).isTrue();
  }

  @Test
  void anySet_survivesATrip() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      FieldSet set = FieldSet.EMPTY;
      for (int path = random.nextInt(6); path > 0; path--) {
        PathElement[] elements = new PathElement[1 + random.nextInt(4)];
        Arrays.setAll(elements, any -> element(random));
        set = set.union(FieldSet.of(elements));
      }

      assertThat(FieldSet.parse(set.toFieldsV1())).as("seed %d", seed).isEqualTo(set);
      assertThat(set.paths().stream().map(p -> FieldSet.of(p.toArray(PathElement[]::new))))
          .as("seed %d", seed)
          .allMatch(set::containsAll);
    }
  }

  private static PathElement element(Random random) {
    String text = Integer.toString(random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> new PathElement.Field(text);
      case 1 -> new PathElement.Key(Map.of("name", text));
      case 2 -> new PathElement.Value(text);
      default -> new PathElement.Index(random.nextInt(3));
    };
  }
}
