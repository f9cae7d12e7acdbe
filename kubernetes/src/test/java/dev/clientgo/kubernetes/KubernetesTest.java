package dev.clientgo.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.runtime.Scheme;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.autoscaling.v2.MetricSpec;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.ContainerPort;
import dev.clientgo.kubernetes.core.v1.ContainerRestartPolicy;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Protocol;
import dev.clientgo.kubernetes.core.v1.PullPolicy;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServiceExternalTrafficPolicy;
import dev.clientgo.kubernetes.core.v1.ServiceInternalTrafficPolicy;
import dev.clientgo.kubernetes.core.v1.ServicePort;
import dev.clientgo.kubernetes.discovery.v1.EndpointPort;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a program uses the generated types. */
final class KubernetesTest {

  private static final Container APP =
      Container.of(
          app ->
              app.name("app")
                  .image("app:1")
                  .imagePullPolicy(PullPolicy.ALWAYS)
                  .editPorts(ports -> ports.add(ContainerPort.of(port -> port.containerPort(80)))));

  private static final Pod POD =
      Pod.of(
          "default",
          "web-0",
          pod ->
              pod.editMetadata(meta -> meta.editLabels(labels -> labels.put("app", "web")))
                  .editSpec(spec -> spec.editContainers(containers -> containers.add(APP))));

  @Test
  void write_builtObject_sendsWhatWasSetAndNoMore() {
    assertThat(json(POD))
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web-0\",\"namespace\":\"default\","
                + "\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"app:1\","
                + "\"ports\":[{\"containerPort\":80}],\"imagePullPolicy\":\"Always\"}]}}");
    assertThat(read(json(POD))).isEqualTo(POD).hasSameHashCodeAs(POD);
  }

  @Test
  void with_deepChange_leavesTheOriginal() {
    Pod changed =
        POD.with(
            pod ->
                pod.editSpec(
                    spec ->
                        spec.editContainers(
                            list -> list.replaceAll(each -> each.with(c -> c.image("app:2"))))));

    assertThat(changed.spec().containers()).extracting(Container::image).containsExactly("app:2");
    assertThat(POD.spec().containers()).extracting(Container::image).containsExactly("app:1");
    assertThat(changed.metadata()).isSameAs(POD.metadata());
  }

  @Test
  void read_unknownFieldsAndValues_areNoError() {
    Pod pod =
        read(
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"new\":{\"a\":[1]},\"spec\":{\"restartPolicy\":\"Sometimes\"}}");

    assertThat(pod.spec().restartPolicy().value()).isEqualTo("Sometimes");
    assertThat(pod.spec().restartPolicy()).isNotEqualTo(RestartPolicy.ALWAYS);
    assertThat(read("{\"spec\":{\"restartPolicy\":\"Always\"}}").spec().restartPolicy())
        .isSameAs(RestartPolicy.ALWAYS);
  }

  @Test
  void read_otherKind_isAnError() {
    assertThatThrownBy(() -> read("{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("kind is \"Secret\" and not \"Pod\"");
  }

  @Test
  void types_tellWhereTheyAreServed() {
    assertThat(Pod.TYPE.isNamespaced()).isTrue();
    assertThat(Deployment.TYPE.resource().toString()).contains("deployments");
    assertThat(Node.TYPE.isNamespaced()).isFalse();
  }

  @Test
  void addTo_scheme_knowsEveryKind() {
    Scheme scheme = ApiScheme.addTo(Scheme.builder()).build();

    assertThat(scheme.recognizes(new GroupVersionKind("apps", "v1", "Deployment"))).isTrue();
    assertThat(scheme.decode(json(POD).getBytes(UTF_8))).isEqualTo(POD);
    assertThat(scheme.objectKinds(POD).kinds()).containsExactly(Pod.TYPE.kind());
  }

  @Test
  void list_readAndWritten_hasItsOwnKind() {
    ResourceList<Pod> list =
        new ResourceList<>(
            ListMeta.builder().resourceVersion("7").build(), List.of(POD, POD.with(p -> {})));

    String json = new String(JsonWriter.toBytes(Pod.TYPE.listCodec(), list), UTF_8);

    assertThat(json)
        .startsWith(
            "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{");
    Scheme scheme = ApiScheme.addTo(Scheme.builder()).build();
    assertThat(scheme.decode(json.getBytes(UTF_8))).isEqualTo(list);
  }

  @Test
  void intOrString_inAType_staysWhatItWas() {
    String json =
        "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"spec\":{\"strategy\":{\"rollingUpdate\":"
            + "{\"maxUnavailable\":1,\"maxSurge\":\"25%\"}}}}";

    Deployment deployment = Deployment.CODEC.read(JsonReader.of(json.getBytes(UTF_8)));

    assertThat(deployment.spec().strategy().rollingUpdate().maxSurge())
        .isEqualTo(IntOrString.of("25%"));
    assertThat(new String(JsonWriter.toBytes(Deployment.CODEC, deployment), UTF_8))
        .contains("\"maxUnavailable\":1");
  }

  private static String json(Pod pod) {
    return new String(JsonWriter.toBytes(Pod.CODEC, pod), UTF_8);
  }

  private static Pod read(String json) {
    return Pod.CODEC.read(JsonReader.of(json.getBytes(UTF_8)));
  }

  /** The names are those of Go's types: one class for one meaning, in all versions. */
  @Test
  void enumerations_ofOneMeaning_areOneClass() {
    Protocol tcp = Protocol.TCP;
    ContainerPort ofContainer = ContainerPort.of(port -> port.protocol(tcp));
    ServicePort ofService = ServicePort.of(port -> port.protocol(tcp));
    EndpointPort ofEndpoint = EndpointPort.of(port -> port.protocol(tcp));

    assertThat(List.of(ofContainer.protocol(), ofService.protocol(), ofEndpoint.protocol()))
        .containsOnly(tcp);
    Service service =
        Service.of(
            "default",
            "web",
            it ->
                it.editSpec(
                    spec ->
                        spec.internalTrafficPolicy(ServiceInternalTrafficPolicy.LOCAL)
                            .externalTrafficPolicy(ServiceExternalTrafficPolicy.CLUSTER)));
    assertThat(new String(JsonWriter.toBytes(Service.CODEC, service), UTF_8))
        .contains("\"internalTrafficPolicy\":\"Local\"", "\"externalTrafficPolicy\":\"Cluster\"");
    assertThat(
            Container.CODEC
                .read(JsonReader.of("{\"restartPolicy\":\"Always\"}".getBytes(UTF_8)))
                .restartPolicy())
        .isSameAs(ContainerRestartPolicy.ALWAYS);
  }

  @Test
  void component_thatIsAKeywordOfKotlin_hasAnUnderscore() {
    MetricSpec metric =
        MetricSpec.CODEC.read(
            JsonReader.of("{\"object\":{\"describedObject\":{\"name\":\"web\"}}}".getBytes(UTF_8)));

    assertThat(metric.object_().describedObject().name()).isEqualTo("web");
  }
}
