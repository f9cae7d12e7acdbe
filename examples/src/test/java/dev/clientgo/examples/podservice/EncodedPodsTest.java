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
    return pod(name, version, "uid-of-" + name);
  }

  private static Pod pod(String name, int version, String uid) {
    String resourceVersion = Integer.toString(version);
    return Pod.of(
        pod ->
            pod.editMetadata(
                m -> m.namespace("shop").name(name).resourceVersion(resourceVersion).uid(uid)));
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
  void samePod_isEncodedOnce() {
    EncodedPods encoded = new EncodedPods(1000);
    Pod pod = pod("web", 1);
    byte[] first = encoded.json(pod);

    assertThat(encoded.json(pod)).isSameAs(first);
    assertThat(new String(encoded.json(pod("web", 2)), UTF_8))
        .contains("\"resourceVersion\":\"2\"");
    assertThat(encoded.size()).isEqualTo(first.length);
  }

  /** After a restore of etcd, the server gives its versions a second time. */
  @Test
  void otherPod_ofTheSameNameAndVersion_isEncoded() {
    EncodedPods encoded = new EncodedPods(1000);
    encoded.json(pod("web", 1));

    Pod later = pod("web", 1, "later");

    assertThat(encoded.json(later)).isEqualTo(JsonWriter.toBytes(Pod.CODEC, later));
  }

  @Test
  void limit_reached_forgetsThePodThatWasAskedForLeastRecently() {
    Pod a = pod("a", 1);
    Pod b = pod("b", 2);
    int length = new EncodedPods(1000).json(a).length;
    EncodedPods encoded = new EncodedPods(2L * length);
    byte[] firstA = encoded.json(a);
    byte[] firstB = encoded.json(b);
    encoded.json(a);

    encoded.json(pod("c", 3));

    assertThat(encoded.size()).isEqualTo(2L * length);
    assertThat(encoded.json(a)).isSameAs(firstA);
    assertThat(encoded.json(b)).isNotSameAs(firstB).isEqualTo(firstB);
  }

  @Test
  void pod_largerThanTheLimit_isNotKept() {
    EncodedPods encoded = new EncodedPods(10);

    assertThat(encoded.json(pod("a", 1)).length).isGreaterThan(10);
    assertThat(encoded.size()).isZero();
  }
}
