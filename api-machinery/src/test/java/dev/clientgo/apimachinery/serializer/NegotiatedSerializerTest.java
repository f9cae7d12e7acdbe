package dev.clientgo.apimachinery.serializer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NegotiatedSerializerTest {

  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final Unstructured WEB =
      Unstructured.of(Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", "web")));

  private final Serializer<Unstructured> json = Serializer.json(Unstructured.CODEC);
  private final NegotiatedSerializer<Unstructured> jsonAlone =
      NegotiatedSerializer.json(Unstructured.CODEC);
  private final NegotiatedSerializer<Unstructured> both = jsonAlone.prefer(new Toy<>(json));

  @Test
  void accept_namesTheEncodingsInTheirOrder() {
    assertThat(jsonAlone.accept()).isEqualTo("application/json");
    assertThat(both.accept()).isEqualTo("application/x-toy,application/json");
    assertThat(both.acceptList()).isEqualTo("application/x-toy,application/json");
  }

  /** The header is that of client-go's metadata client, with the toy for protobuf. */
  @Test
  void accept_ofAnotherForm_asksForItAndFallsBackToWholeObjectsInJson() {
    NegotiatedSerializer<Unstructured> partial = both.asKind(PartialObjectMetadata.KIND);

    assertThat(partial.accept())
        .isEqualTo(
            "application/x-toy;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
                + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
                + "application/json");
    assertThat(partial.acceptList())
        .isEqualTo(
            "application/x-toy;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
                + "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
                + "application/json");
    assertThat(ResourceType.metadata(POD, "pods", true).serializers().accept())
        .isEqualTo(
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
                + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  }

  /** KEP-5958: the parameter is one of each media type. */
  @Test
  void accept_withoutManagedFields_asksForThat() {
    Projection phase = Projection.keep("status.phase");
    Projection managedFields = Projection.keep("metadata.managedFields");

    assertThat(jsonAlone.project(Projection.WITHOUT_MANAGED_FIELDS).accept())
        .isEqualTo("application/json;drop=metadata.managedFields");
    assertThat(jsonAlone.project(phase).only("application/json").acceptList())
        .isEqualTo("application/json;drop=metadata.managedFields");
    assertThat(jsonAlone.project(managedFields).accept()).isEqualTo("application/json");
    assertThat(ResourceType.metadata(POD, "pods", true).dropManagedFields().serializers().accept())
        .isEqualTo(
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1;"
                + "drop=metadata.managedFields,"
                + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1;"
                + "drop=metadata.managedFields,"
                + "application/json;drop=metadata.managedFields");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> both.project(phase))
        .withMessageContaining("application/x-toy");
  }

  @Test
  void only_keepsThatEncodingAndJson() {
    assertThat(both.only("application/json").accept()).isEqualTo("application/json");
    assertThat(both.only("application/x-toy").accept())
        .isEqualTo("application/x-toy,application/json");
    assertThat(both.only("application/other").accept()).isEqualTo("application/json");
  }

  @Test
  void forRequest_isThePreferredOne() {
    assertThat(jsonAlone.forRequest().mediaType()).isEqualTo("application/json");
    assertThat(both.forRequest().mediaType()).isEqualTo("application/x-toy");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json;stream=watch",
        "application/json; charset=utf-8",
        "Application/JSON",
        ""
      })
  @NullSource
  void forContentType_ofJson_ignoresCaseAndParameters(String contentType) {
    assertThat(both.forContentType(contentType).mediaType()).isEqualTo("application/json");
  }

  @Test
  void forContentType_unknown_namesItAndTheSupportedOnes() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> both.forContentType("text/html; charset=utf-8"))
        .withMessage(
            "the media type of the response is \"text/html; charset=utf-8\", but this client supports"
                + " only application/x-toy,application/json");
  }

  /** A caller that reads by the media type of the response need not know the encodings. */
  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/x-toy"})
  void anyEncoding_readsObjectsListsAndWatches(String contentType) throws Exception {
    ResourceType<Unstructured> type =
        Unstructured.type(POD, "pods", true).with(json -> json.prefer(new Toy<>(this.json)));
    boolean toy = contentType.endsWith("toy");
    Serializer<Unstructured> serializer = type.serializers().forContentType(contentType);
    DecodeContext context = DecodeContext.create();

    assertThat(serializer.read(new ByteArrayInputStream(serializer.write(WEB)), context))
        .isEqualTo(WEB);
    assertThat(serializer.read(serializer.write(WEB), context)).isEqualTo(WEB);

    List<Unstructured> items = new ArrayList<>();
    String list =
        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},"
            + "\"items\":["
            + WEB.toJson()
            + "]}";
    ListMeta meta = serializer.readList(encoded(toy, list), context, items::add);
    assertThat(meta.resourceVersion()).isEqualTo("7");
    assertThat(items).containsExactly(WEB);

    Decoder<Unstructured> events =
        serializer.watch(
            encoded(toy, "{\"type\":\"ADDED\",\"object\":" + WEB.toJson() + "}"), context);
    assertThat(events.next()).isEqualTo(Optional.of(new WatchEvent.Added<>(WEB)));
    assertThat(events.next()).isEmpty();
  }

  private static InputStream encoded(boolean toy, String json) {
    byte[] bytes = json.getBytes(UTF_8);
    return new ByteArrayInputStream(toy ? Base64.getEncoder().encode(bytes) : bytes);
  }

  /** An encoding of tests: JSON in base64. */
  private record Toy<T>(Serializer<T> json) implements Serializer<T> {

    @Override
    public String mediaType() {
      return "application/x-toy";
    }

    @Override
    public byte[] write(T object) {
      return Base64.getEncoder().encode(json.write(object));
    }

    @Override
    public T read(InputStream in, DecodeContext context) {
      return json.read(Base64.getDecoder().wrap(in), context);
    }

    @Override
    public ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink) {
      return json.readList(Base64.getDecoder().wrap(in), context, sink);
    }

    @Override
    public Decoder<T> watch(InputStream in, DecodeContext context) {
      return json.watch(Base64.getDecoder().wrap(in), context);
    }
  }
}
