package dev.clientgo.apimachinery.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ListDecoder;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PartialObjectMetadataTest {

  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");

  private static final String PARTIAL =
      "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
          + "\"metadata\":{\"name\":\"web-0\",\"namespace\":\"default\",\"uid\":\"1\"}}";

  private static final ObjectMeta WEB_0 =
      ObjectMeta.builder().name("web-0").namespace("default").uid("1").build();

  @Test
  void codec_ofWhatServersSend_keepsTheKindThatWasSent() {
    PartialObjectMetadata object = read(PartialObjectMetadata.CODEC, PARTIAL);

    assertThat(object)
        .isEqualTo(new PartialObjectMetadata("meta.k8s.io/v1", "PartialObjectMetadata", WEB_0));
    assertThat(new String(JsonWriter.toBytes(PartialObjectMetadata.CODEC, object), UTF_8))
        .isEqualTo(
            "{\"apiVersion\":\"meta.k8s.io/v1\",\"kind\":\"PartialObjectMetadata\","
                + "\"metadata\":{\"name\":\"web-0\",\"namespace\":\"default\",\"uid\":\"1\"}}");
  }

  @Test
  void codec_ofAKind_givesTheObjectItsOwnKind() {
    assertThat(read(PartialObjectMetadata.codec(POD), PARTIAL))
        .isEqualTo(new PartialObjectMetadata("v1", "Pod", WEB_0));
  }

  /** Upstream: metadata.TestClient, "GET can convert unstructured to partial". */
  @Test
  void codec_ofAWholeObject_readsItsMetadata() {
    String whole =
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"nodeName\":\"n\"},"
            + "\"metadata\":{\"name\":\"web-0\",\"namespace\":\"default\",\"uid\":\"1\"}}";

    assertThat(read(PartialObjectMetadata.codec(POD), whole).metadata()).isEqualTo(WEB_0);
  }

  /** Upstream: metadata.TestClient, "GET fails if the object is JSON and has no metadata". */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{}}",
        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"\",\"labels\":{}}}"
      })
  void codec_ofWhatHasNoIdentity_refusesIt(String json) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> read(PartialObjectMetadata.codec(POD), json))
        .withMessageContaining("does not appear to match the ObjectMeta schema");
  }

  @Test
  void type_inAList_readsEachItem() {
    ResourceType<PartialObjectMetadata> type = ResourceType.metadata(POD, "pods", true);
    String list =
        "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\","
            + "\"metadata\":{\"resourceVersion\":\"259\"},\"items\":["
            + PARTIAL
            + "]}";
    List<PartialObjectMetadata> items = new ArrayList<>();

    ListMeta metadata =
        ListDecoder.read(JsonReader.of(list.getBytes(UTF_8)), type.codec(), items::add);

    assertThat(metadata.resourceVersion()).isEqualTo("259");
    assertThat(items).containsExactly(new PartialObjectMetadata("v1", "Pod", WEB_0));
    assertThat(type.isNamespaced()).isTrue();
    assertThat(ResourceType.metadata(POD, "pods", false).isNamespaced()).isFalse();
  }

  @Test
  void of_anyObject_dropsTheRest() {
    Unstructured pod =
        Unstructured.parse(
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"},\"spec\":{}}");

    PartialObjectMetadata partial = PartialObjectMetadata.of(pod);

    assertThat(Unstructured.from(PartialObjectMetadata.CODEC, partial))
        .isEqualTo(pod.without("spec"));
    assertThat(partial.withMetadata(WEB_0).metadata()).isEqualTo(WEB_0);
  }

  private static PartialObjectMetadata read(JsonCodec<PartialObjectMetadata> codec, String json) {
    return JsonReader.fromBytes(codec, json.getBytes(UTF_8));
  }
}
