package dev.clientgo.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.ContainerStateWaiting;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.kubernetes.core.v1.ResourceRequirements;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.Volume;
import dev.clientgo.kubernetes.networking.v1.NetworkPolicySpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reading parts that are absent, and keeping them apart from empty ones. */
final class OptionalPartsTest {

  private static final String HEAD = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"";

  /** Pods that differ only in which parts are absent and which are empty. */
  static List<String> pods() {
    return List.of(
        HEAD + "}",
        HEAD + ",\"metadata\":{}}",
        HEAD + ",\"metadata\":{\"labels\":{}}}",
        HEAD + ",\"metadata\":{\"finalizers\":[]}}",
        HEAD + ",\"spec\":{}}",
        HEAD + ",\"spec\":{\"containers\":[]}}",
        HEAD + ",\"spec\":{\"containers\":[{}]}}",
        HEAD + ",\"spec\":{\"containers\":[{\"resources\":{}}]}}",
        HEAD + ",\"spec\":{\"containers\":[{\"resources\":{\"limits\":{}}}]}}",
        HEAD + ",\"spec\":{\"nodeSelector\":{}}}",
        HEAD + ",\"spec\":{\"securityContext\":{}}}",
        HEAD + ",\"status\":{}}",
        HEAD + ",\"status\":{\"conditions\":[]}}",
        HEAD + ",\"spec\":{},\"status\":{}}");
  }

  private static Pod pod(String json) {
    return read(Pod.CODEC, json);
  }

  private static <T> T read(JsonCodec<T> codec, String json) {
    return codec.read(JsonReader.of(json.getBytes(UTF_8)));
  }

  private static <T> String json(JsonCodec<T> codec, T value) {
    return new String(JsonWriter.toBytes(codec, value), UTF_8);
  }

  private static String json(Pod pod) {
    return json(Pod.CODEC, pod);
  }

  @Test
  void read_ofAbsentParts_goesThroughThem() {
    Pod pod = Pod.builder().build();
    Deployment deployment = Deployment.builder().build();

    assertThat(pod.metadata().name()).isNull();
    assertThat(pod.metadata().labels()).isEmpty();
    assertThat(pod.spec().containers()).isEmpty();
    assertThat(pod.status().phase()).isNull();
    assertThat(deployment.spec().strategy().type()).isNull();
    assertThat(deployment.spec().template().metadata().annotations()).isEmpty();
    assertThat(deployment.spec().template().spec().volumes()).isEmpty();
  }

  @Test
  void find_ofAPartThatGoKeepsAsAPointer_isEmptyIfAbsent() {
    ContainerStatus waiting =
        ContainerStatus.of(s -> s.editState(e -> e.editWaiting(w -> w.reason("CrashLoopBackOff"))));

    assertThat(waiting.state().findWaiting().map(ContainerStateWaiting::reason))
        .contains("CrashLoopBackOff");
    assertThat(waiting.state().findRunning()).isEmpty();
    assertThat(waiting.state().running()).isNull();
    assertThat(waiting.lastState().findTerminated()).isEmpty();
    assertThat(Volume.of(v -> v.editEmptyDir(e -> {})).findEmptyDir()).isPresent();
  }

  @ParameterizedTest
  @MethodSource("pods")
  void writeAndRead_ofAbsentAndEmptyParts_keepsThemApart(String json) {
    Pod pod = pod(json);

    assertThat(json(pod)).isEqualTo(json);
    assertThat(pod(json)).isEqualTo(pod).hasSameHashCodeAs(pod).hasToString(pod.toString());
    assertThat(pods().stream().map(OptionalPartsTest::pod).filter(pod::equals)).hasSize(1);
  }

  /** A decoder that shares repeated values must not share an absent and an empty one. */
  @Test
  void read_ofManyPodsWithSharedValues_keepsAbsentAndEmptyApart() {
    DecodeContext context = DecodeContext.ofStore();

    for (int round = 0; round < 50; round++) {
      for (String json : pods()) {
        Pod pod = Pod.CODEC.read(JsonReader.of(json.getBytes(UTF_8), context));
        assertThat(json(pod)).isEqualTo(json);
      }
    }
    Pod empty = Pod.CODEC.read(JsonReader.of((HEAD + ",\"spec\":{}}").getBytes(UTF_8), context));
    assertThat(empty.spec()).isNotSameAs(PodSpec.EMPTY).isEqualTo(PodSpec.EMPTY);
  }

  @Test
  void read_ofProtobuf_keepsAbsentAndEmptyApart() {
    assertThat(json(fromProtobuf())).isEqualTo(HEAD + "}");
    assertThat(json(fromProtobuf(0x12, 0))).isEqualTo(HEAD + ",\"spec\":{}}");
    assertThat(json(fromProtobuf(0x1a, 0))).isEqualTo(HEAD + ",\"status\":{}}");
    assertThat(fromProtobuf(0x12, 0)).isEqualTo(pod(HEAD + ",\"spec\":{}}"));
    assertThat(fromProtobuf().spec()).isSameAs(PodSpec.EMPTY);
  }

  private static Pod fromProtobuf(int... message) {
    byte[] bytes = new byte[message.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) message[i];
    }
    return Pod.CODEC.read(JsonReader.ofProtobuf(bytes, 0, bytes.length, DecodeContext.create()));
  }

  @SuppressWarnings("ReferenceEquality") // EMPTY stands for an absent part by its identity
  @ParameterizedTest
  @MethodSource("pods")
  void copy_byAccessorsAndBuilders_keepsAbsentAndEmptyApart(String json) {
    Pod pod = pod(json);
    ObjectMeta meta = pod.metadata();
    PodSpec spec = pod.spec();

    Pod copy =
        Pod.builder()
            .metadata(
                meta == ObjectMeta.EMPTY
                    ? meta
                    : ObjectMeta.of(
                        m ->
                            m.labels(meta.labels())
                                .annotations(meta.annotations())
                                .ownerReferences(meta.ownerReferences())
                                .finalizers(meta.finalizers())
                                .managedFields(meta.managedFields())))
            .spec(
                spec == PodSpec.EMPTY
                    ? spec
                    : PodSpec.of(
                        s ->
                            s.containers(spec.containers())
                                .nodeSelector(spec.nodeSelector())
                                .tolerations(spec.tolerations())
                                .securityContext(spec.securityContext())))
            .status(pod.status())
            .build();

    assertThat(copy).isEqualTo(pod);
    assertThat(json(copy)).isEqualTo(json);
    assertThat(new Pod(pod.metadata(), pod.spec(), pod.status())).isEqualTo(pod);
  }

  @Test
  void empty_inABuilder_meansAbsentAndABuiltOneIsSent() {
    Pod absent = Pod.of(p -> p.spec(PodSpec.EMPTY).status(PodStatus.EMPTY));

    assertThat(json(absent)).isEqualTo(HEAD + "}");
    assertThat(absent).isEqualTo(Pod.builder().build());
    assertThat(json(Pod.of(p -> p.spec(PodSpec.builder().build()))))
        .isEqualTo(HEAD + ",\"spec\":{}}");
    assertThat(json(Pod.of(p -> p.editSpec(s -> {})))).isEqualTo(HEAD + ",\"spec\":{}}");
    assertThat(json(PodSpec.CODEC, PodSpec.of(s -> s.resources(ResourceRequirements.EMPTY))))
        .isEqualTo("{}");
  }

  @Test
  void isAbsent_ofAListOrMap_tellsAbsentFromEmpty() {
    PodSpec absent = PodSpec.builder().build();
    PodSpec empty = PodSpec.of(s -> s.containers(List.of()).nodeSelector(Map.of()));

    assertThat(Immutable.isAbsent(absent.containers())).isTrue();
    assertThat(Immutable.isAbsent(absent.nodeSelector())).isTrue();
    assertThat(Immutable.isAbsent(empty.containers())).isFalse();
    assertThat(Immutable.isAbsent(empty.nodeSelector())).isFalse();
    assertThat(absent.containers()).isEqualTo(empty.containers());
    assertThat(absent.nodeSelector()).isEqualTo(empty.nodeSelector());
    assertThat(absent).isNotEqualTo(empty);
    assertThat(absent.toString()).contains("containers=null");
    assertThat(empty.toString()).contains("containers=[]");
  }

  @Test
  void edit_thatLeavesAnAbsentListEmpty_changesNothing() {
    Pod before = pod(HEAD + ",\"spec\":{\"nodeName\":\"a\"}}");

    Pod after =
        before.with(
            p ->
                p.editMetadata(
                        m ->
                            m.editFinalizers(f -> f.remove("example.com/x"))
                                .editLabels(l -> l.remove("app")))
                    .editSpec(
                        s ->
                            s.nodeName("b")
                                .editTolerations(all -> all.removeIf(t -> true))
                                .volumes(before.spec().volumes())));

    assertThat(
            Patch.merge(Pod.CODEC, before, after.withMetadata(before.metadata())).body().toString())
        .isEqualTo("{\"spec\":{\"nodeName\":\"b\"}}");
    assertThat(json(ObjectMeta.CODEC, after.metadata())).isEqualTo("{}");
    assertThat(json(PodSpec.CODEC, before.spec().with(s -> s.tolerations(List.of()))))
        .contains("\"tolerations\":[]");
  }

  /** An absent selector selects nothing and an empty one everything, so it may be null. */
  @Test
  void selector_thatIsAbsent_isNotReadAsAnEmptyOne() {
    NetworkPolicySpec absent = NetworkPolicySpec.builder().build();
    NetworkPolicySpec empty = NetworkPolicySpec.of(s -> s.editPodSelector(selector -> {}));

    assertThat(absent.podSelector()).isNull();
    assertThat(Selector.of(absent.podSelector())).isEqualTo(Selector.nothing());
    assertThat(Selector.of(empty.podSelector())).isEqualTo(Selector.everything());
    assertThat(empty.findPodSelector()).contains(LabelSelector.builder().build());
    assertThat(Deployment.builder().build().spec().findSelector()).isEmpty();
  }

  @Test
  void add_ofElements_buildsLists() {
    Pod pod =
        Pod.of(
            "default",
            "web",
            p ->
                p.editSpec(
                    s ->
                        s.addContainers(c -> c.name("web").addPorts(o -> o.containerPort(80)))
                            .addContainers(c -> c.name("log"))
                            .addVolumes(v -> v.name("tmp").editEmptyDir(e -> {}))));

    assertThat(pod.spec().containers()).extracting(Container::name).containsExactly("web", "log");
    assertThat(pod.spec().containers().get(0).ports().get(0).containerPort()).isEqualTo(80);
    assertThat(pod.spec().volumes().get(0).emptyDir()).isNotNull();
  }

  @Test
  void secret_valuesOfBytesAndText_areReadBack() {
    byte[] key = {0, (byte) 0xff, 7};

    Secret secret =
        Secret.of(
            "default",
            "tls",
            s -> s.data(Map.of("key", Bytes.of(key), "user", Bytes.ofUtf8("ad\u00e9le"))));

    Secret read = read(Secret.CODEC, json(Secret.CODEC, secret));
    assertThat(read.data().get("key").toByteArray()).isEqualTo(key);
    assertThat(read.data().get("user").utf8()).isEqualTo("ad\u00e9le");
    assertThat(read.data()).containsOnlyKeys("key", "user");
    assertThat(secret.with(s -> s.editData(d -> d.put("user", Bytes.ofUtf8("eve")))).data())
        .containsEntry("user", Bytes.ofUtf8("eve"));
  }
}
