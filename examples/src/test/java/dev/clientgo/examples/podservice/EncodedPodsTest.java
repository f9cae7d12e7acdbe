package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EncodedPodsTest {

  private static Pod pod(String name, int version) {
    return Pod.of(
        pod ->
            pod.editMetadata(
                m -> m.namespace("shop").name(name).resourceVersion(Integer.toString(version))));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void list_inPieces_isWhatTheCodecWrites(int size) {
    List<Pod> pods = IntStream.range(0, size).mapToObj(i -> pod("web-" + i, i + 1)).toList();
    ResourceList<Pod> list =
        new ResourceList<>(ListMeta.of(m -> m.resourceVersion("7").continueToken("x")), pods);
    ByteArrayOutputStream joined = new ByteArrayOutputStream();

    new EncodedPods(1000).json(list).forEach(joined::writeBytes);

    assertThat(joined.toString(UTF_8))
        .isEqualTo(new String(JsonWriter.toBytes(Pod.TYPE.listCodec(), list), UTF_8));
  }

  @Test
  void pod_ofTheSameVersion_isEncodedOnce() {
    EncodedPods encoded = new EncodedPods(1000);
    byte[] first = encoded.json(pod("web", 1));

    assertThat(encoded.json(pod("web", 1))).isSameAs(first);
    assertThat(new String(encoded.json(pod("web", 2)), UTF_8))
        .contains("\"resourceVersion\":\"2\"");
    assertThat(encoded.size()).isEqualTo(first.length);
  }

  @Test
  void limit_reached_forgetsThePodThatWasAskedForLeastRecently() {
    byte[] a = new EncodedPods(1000).json(pod("a", 1));
    EncodedPods encoded = new EncodedPods(2L * a.length);
    byte[] firstA = encoded.json(pod("a", 1));
    byte[] firstB = encoded.json(pod("b", 2));
    encoded.json(pod("a", 1));

    encoded.json(pod("c", 3));

    assertThat(encoded.size()).isEqualTo(2L * a.length);
    assertThat(encoded.json(pod("a", 1))).isSameAs(firstA);
    assertThat(encoded.json(pod("b", 2))).isNotSameAs(firstB).isEqualTo(firstB);
  }

  @Test
  void pod_largerThanTheLimit_isNotKept() {
    EncodedPods encoded = new EncodedPods(10);

    assertThat(encoded.json(pod("a", 1)).length).isGreaterThan(10);
    assertThat(encoded.size()).isZero();
  }
}
