package dev.clientgo.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PatchTest {

  private static final ObjectMeta BEFORE =
      ObjectMeta.builder()
          .name("web")
          .resourceVersion("7")
          .labels(Map.of("app", "web", "tier", "old"))
          .finalizers(List.of("a", "b"))
          .build();

  private static final ObjectMeta AFTER =
      ObjectMeta.builder()
          .name("web")
          .resourceVersion("7")
          .labels(Map.of("app", "web", "track", "new"))
          .finalizers(List.of("b"))
          .build();

  @Test
  void merge_twoObjects_saysOnlyWhatDiffers() {
    Patch patch = Patch.merge(ObjectMeta.CODEC, BEFORE, AFTER);

    assertThat(patch.mediaType()).isEqualTo("application/merge-patch+json");
    assertThat(patch.body())
        .hasToString("{\"labels\":{\"track\":\"new\",\"tier\":null},\"finalizers\":[\"b\"]}");
  }

  @Test
  void merge_ofText_isThatJson() {
    Patch patch = Patch.merge("{\"spec\": {\"replicas\": 3, \"paused\": null}}");

    assertThat(patch.body()).hasToString("{\"spec\":{\"replicas\":3,\"paused\":null}}");
    assertThat(patch.mediaType()).isEqualTo("application/merge-patch+json");
    assertThatExceptionOfType(CodecException.class).isThrownBy(() -> Patch.merge("{"));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Patch.merge("[1]"))
        .withMessage("expected a JSON object as merge patch, found [1]");
  }

  @Test
  void merge_sameObject_isEmpty() {
    assertThat(Patch.merge(ObjectMeta.CODEC, BEFORE, BEFORE).body()).hasToString("{}");
  }

  @Test
  void mergeIfUnchanged_twoObjects_namesTheVersionThatWasRead() {
    Unstructured before =
        Unstructured.parse(
            "{'kind':'Foo','apiVersion':'v1','metadata':{'name':'a','resourceVersion':'7'},'spec':{'x':1,'y':2}}"
                .replace('\'', '"'));

    Patch patch = Patch.mergeIfUnchanged(Unstructured.CODEC, before, before.without("spec", "x"));

    assertThat(patch.mediaType()).isEqualTo("application/merge-patch+json");
    assertThat(patch.body())
        .hasToString("{\"spec\":{\"x\":null},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }

  @Test
  void mergeIfUnchanged_noVersion_saysSo() {
    Unstructured object = Unstructured.parse("{\"kind\":\"Foo\",\"apiVersion\":\"v1\"}");

    assertThatExceptionOfType(PatchException.class)
        .isThrownBy(() -> Patch.mergeIfUnchanged(Unstructured.CODEC, object, object))
        .withMessageContaining("metadata.resourceVersion");
  }
}
