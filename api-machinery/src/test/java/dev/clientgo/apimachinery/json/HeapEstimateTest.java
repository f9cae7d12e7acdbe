package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.HeapEstimate.FieldBytes;
import dev.clientgo.apimachinery.json.internal.collections.IdentityTable;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapEstimateTest {

  private static final String WIDGET =
      "{\"metadata\":{\"name\":\"NAME\"},\"spec\":{\"node\":\"12345678\",\"replicas\":1000,"
          + "\"options\":{\"k\":\"v\"},\"parts\":[{\"name\":\"a\"}]},\"phase\":\"Running\"}";

  private final HeapEstimate estimate = new HeapEstimate(value -> 0);

  private static Widget widget(String name) {
    return JsonReader.fromBytes(Widget.CODEC, WIDGET.replace("NAME", name).getBytes(UTF_8));
  }

  private FieldBytes field(String path) {
    return estimate.fields().stream()
        .filter(each -> each.path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  private void assertField(String path, long own, long shared) {
    assertThat(field(path)).isEqualTo(new FieldBytes(path, own, shared));
  }

  @Test
  void fields_ofOneObject_haveTheSizesOfTheirValues() {
    estimate.add(Widget.CODEC, widget("w"));

    assertField("spec", 32, 0); // five references
    assertField("spec.node", 48, 0); // a string of 8 bytes
    assertField("spec.replicas", 16, 0); // an Integer
    assertField("spec.options", 16 + 24 + 24 + 24 + 24 + 24, 0); // a map of two strings
    assertField("spec.parts", 16 + 24, 0); // a list of one part
    assertField("spec.parts.name", 48, 0);
  }

  @Test
  void fields_ofValuesThatManyObjectsHave_areShared() {
    Widget first = widget("first");
    Widget second = new Widget(widget("second").metadata(), first.spec(), first.phase());
    estimate.add(Widget.CODEC, first);
    estimate.add(Widget.CODEC, second);
    estimate.add(Widget.CODEC, new Widget(widget("third").metadata(), first.spec(), null));

    assertField("spec", 0, 32);
    assertField("spec.parts.name", 0, 48);
    assertField("phase", 0, 48);
    assertThat(field("metadata.name").sharedBytes()).isZero();
    assertThat(field("metadata.name").ownBytes()).isEqualTo(3 * 48);
  }

  /** Deserializing shares strings within one stream, and the estimate counts them once. */
  @Test
  void fields_ofTrees_areThoseOfTheJson() {
    DecodeContext context = DecodeContext.create();
    for (String name : List.of("a", "b")) {
      byte[] json = WIDGET.replace("NAME", name).getBytes(UTF_8);
      estimate.add(Unstructured.CODEC, Unstructured.CODEC.read(JsonReader.of(json, context)));
    }

    assertThat(field("spec.node").sharedBytes()).isGreaterThanOrEqualTo(48);
    assertThat(field("spec.node").ownBytes()).isZero();
    assertThat(estimate.fields()).extracting(FieldBytes::path).contains("spec.parts.name");
  }

  @Test
  void fields_ofAMapOfManyKeys_areOne() {
    StringBuilder data = new StringBuilder("{\"data\":{\"k0.x\":\"v\"");
    for (int i = 1; i < 500; i++) {
      data.append(",\"k").append(i).append("\":\"v").append(i).append('"');
    }
    estimate.add(Unstructured.CODEC, Unstructured.parse(data.append("}}").toString()));

    List<String> paths = estimate.fields().stream().map(FieldBytes::path).toList();
    assertThat(paths).contains("data", "data[\"k0.x\"]", "data.*").hasSizeLessThan(100);
    paths.stream().filter(path -> !path.isEmpty()).forEach(path -> Projection.keep(path));
  }

  @Test
  void addKey_countsEachStringOnce() {
    Widget widget = widget("w");
    estimate.add(Widget.CODEC, widget);
    String key = "namespace/name";

    assertThat(estimate.addKey(key)).isEqualTo(24 + 16 + 16);
    assertThat(estimate.addKey(key)).isZero();
    assertThat(estimate.addKey(requireNonNull(widget.metadata().name()))).isZero();
    assertThat(field("metadata.name").ownBytes()).isEqualTo(48);
  }

  @Test
  void identityTable_tellsEqualObjectsApart() {
    IdentityTable table = new IdentityTable();
    List<List<String>> equal = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      equal.add(new ArrayList<>());
      table.put(equal.get(i), i);
    }
    table.put(equal.get(7), 70_000);

    assertThat(table.get(new ArrayList<>())).isEqualTo(IdentityTable.NONE);
    assertThat(table.get(equal.get(7))).isEqualTo(70_000);
    assertThat(table.get(equal.get(9_999))).isEqualTo(9_999);
  }
}
