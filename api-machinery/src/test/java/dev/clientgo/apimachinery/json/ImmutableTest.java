package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Edits;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusDetails;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and maps that are absent, and what readers and constructors make of them. */
final class ImmutableTest {

  private static final List<String> ABSENT_LIST = Immutable.orEmpty((List<String>) null);
  private static final Map<String, String> ABSENT_MAP =
      Immutable.orEmpty((Map<String, String>) null);

  private static final String STATUS = "{\"kind\":\"Status\",\"apiVersion\":\"v1\"";

  private static <T> String json(JsonCodec<T> codec, T value) {
    return new String(JsonWriter.toBytes(codec, value), UTF_8);
  }

  @Test
  void absent_toAReader_isAnEmptyCollection() {
    assertThat(ABSENT_LIST).isEqualTo(List.of()).hasToString("[]");
    assertThat(List.of()).isEqualTo(ABSENT_LIST).hasSameHashCodeAs(ABSENT_LIST);
    assertThat(ABSENT_MAP).isEqualTo(Map.of()).hasToString("{}");
    assertThat(Map.of()).isEqualTo(ABSENT_MAP).hasSameHashCodeAs(ABSENT_MAP);
    assertThat(ABSENT_LIST.contains("a")).isFalse();
    assertThat(ABSENT_MAP.get("a")).isNull();
    assertThatThrownBy(() -> ABSENT_LIST.add("a"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ABSENT_MAP.put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> ABSENT_LIST.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void listAndMap_ofAnAbsentOne_areAbsentAgain() {
    assertThat(Immutable.list(ABSENT_LIST)).isNull();
    assertThat(Immutable.map(ABSENT_MAP)).isNull();
    assertThat(Immutable.list(List.copyOf(ABSENT_LIST))).isNotNull();
    assertThat(Immutable.isAbsent(ABSENT_LIST)).isTrue();
    assertThat(Immutable.isAbsent(List.of())).isFalse();
    assertThat(Immutable.isAbsent(ABSENT_MAP)).isTrue();
    assertThat(Immutable.isAbsent(Map.of())).isFalse();
  }

  /** A codec that a user writes may pass on what an accessor returns. */
  @Test
  void writer_ofAnAbsentListOrMap_writesNoField() {
    JsonCodec<String> codec =
        new JsonCodec<>() {
          @Override
          public String read(JsonReader in) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(JsonWriter out, String value) {
            out.beginObject();
            out.stringListField("a", ABSENT_LIST);
            out.listField("b", JsonCodecs.STRING, ABSENT_LIST);
            out.stringMapField("c", ABSENT_MAP);
            out.mapField("d", JsonCodecs.STRING, ABSENT_MAP);
            out.stringListField("e", List.of());
            out.stringMapField("f", Map.of());
            out.endObject();
          }
        };

    assertThat(json(codec, "")).isEqualTo("{\"e\":[],\"f\":{}}");
  }

  @Test
  void edits_ofAnAbsentOneThatAddNothing_leaveItAbsent() {
    assertThat(Edits.list(null, list -> {})).isNull();
    assertThat(Edits.list(ABSENT_LIST, list -> {})).isNull();
    assertThat(Edits.list(List.of(), list -> {})).isEmpty();
    assertThat(Edits.list(List.of("a"), List::clear)).isEmpty();
    assertThat(Edits.map(ABSENT_MAP, map -> map.remove("a"))).isNull();
    assertThat(Edits.map(Map.of("a", "b"), Map::clear)).isEmpty();
    assertThat(Edits.add(ABSENT_LIST, "a")).containsExactly("a");
    assertThat(Edits.put(ABSENT_MAP, "a", "b")).containsExactly(Map.entry("a", "b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"labels\":{}}", "{\"finalizers\":[]}", "{\"managedFields\":[]}"})
  void metadata_copiedByAccessors_isTheSame(String json) {
    ObjectMeta meta = ObjectMeta.CODEC.read(JsonReader.of(json.getBytes(UTF_8)));

    ObjectMeta copy =
        ObjectMeta.of(
            m ->
                m.labels(meta.labels())
                    .annotations(meta.annotations())
                    .ownerReferences(meta.ownerReferences())
                    .finalizers(meta.finalizers())
                    .managedFields(meta.managedFields()));

    assertThat(copy).isEqualTo(meta);
    assertThat(json(ObjectMeta.CODEC, copy)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"matchLabels\":{}}", "{\"matchExpressions\":[]}"})
  void selector_copiedByAccessors_isTheSame(String json) {
    LabelSelector selector = LabelSelector.CODEC.read(JsonReader.of(json.getBytes(UTF_8)));

    LabelSelector copy = new LabelSelector(selector.matchLabels(), selector.matchExpressions());

    assertThat(copy).isEqualTo(selector);
    assertThat(json(LabelSelector.CODEC, copy)).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"metadata\":{}", ",\"details\":{\"causes\":[]}"})
  void status_ofAbsentAndEmptyParts_tellsThemApart(String parts) {
    String json = STATUS + parts + "}";
    Status status = Status.CODEC.read(JsonReader.of(json.getBytes(UTF_8)));

    assertThat(status.metadata().resourceVersion()).isNull();
    assertThat(status.findDetails().map(StatusDetails::causes).orElse(List.of())).isEmpty();
    assertThat(json(Status.CODEC, status)).isEqualTo(json);
    assertThat(status.toBuilder().metadata(status.metadata()).build()).isEqualTo(status);
    assertThat(json(Status.CODEC, Status.builder().metadata(ListMeta.EMPTY).build()))
        .isEqualTo(STATUS + "}");
  }
}
