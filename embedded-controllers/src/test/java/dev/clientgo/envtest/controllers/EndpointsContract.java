package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.kubernetes.core.v1.EndpointAddress;
import dev.clientgo.kubernetes.core.v1.EndpointSubset;
import dev.clientgo.kubernetes.core.v1.Endpoints;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodIP;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.Protocol;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.kubernetes.core.v1.ServiceSpec;
import dev.clientgo.kubernetes.discovery.v1.Endpoint;
import dev.clientgo.kubernetes.discovery.v1.EndpointPort;
import dev.clientgo.kubernetes.discovery.v1.EndpointSlice;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of the Endpoints and EndpointSlices of services. The pods are on a node without a
 * kubelet, and the test writes their status.
 */
abstract class EndpointsContract extends ControllerContract {

  /** Of pods whose status the test writes. */
  static final String IMAGE = "example.com/web";

  private static final String GATE = "example.com/gate";

  private String namespace;
  private ResourceClient<Service> services;
  private ResourceClient<Pod> pods;
  private ResourceClient<Endpoints> endpoints;
  private ResourceClient<EndpointSlice> slices;

  @BeforeEach
  void createNamespaceAndNode() throws Exception {
    namespace = namespace();
    services = client().resource(Service.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
    endpoints = client().resource(Endpoints.TYPE).inNamespace(namespace);
    slices = client().resource(EndpointSlice.TYPE).inNamespace(namespace);
    client().resource(Node.TYPE).create(Node.of(namespace, node -> {}));
    awaitPresent(client().resource(ServiceAccount.TYPE).inNamespace(namespace), "default");
  }

  private void service(Consumer<ServiceSpec.Builder> edit) throws Exception {
    services.create(
        Service.of(
            namespace,
            "web",
            s ->
                s.editMetadata(m -> m.labels(Map.of("team", "shop")))
                    .editSpec(
                        spec -> {
                          spec.selector(Map.of("app", "web"))
                              .addPorts(
                                  p ->
                                      p.name("http")
                                          .port(80)
                                          .protocol(Protocol.TCP)
                                          .targetPort(IntOrString.of("web")));
                          edit.accept(spec);
                        })));
  }

  private void pod(String name, String ip, boolean ready) throws Exception {
    pods.create(
        Pod.of(
            namespace,
            name,
            p ->
                p.editMetadata(m -> m.labels(Map.of("app", "web")))
                    .editSpec(
                        s ->
                            s.nodeName(namespace)
                                .addReadinessGates(g -> g.conditionType(GATE))
                                .addContainers(
                                    c ->
                                        c.name("c")
                                            .image(IMAGE)
                                            .addPorts(
                                                port ->
                                                    port.name("web")
                                                        .containerPort(8080)
                                                        .protocol(Protocol.TCP))))));
    status(name, ip, ready);
  }

  private void status(String name, String ip, boolean ready) throws Exception {
    String status = ready ? "True" : "False";
    pods.editStatus(
        name,
        pod ->
            pod.with(
                p ->
                    p.editStatus(
                        s ->
                            s.phase(PodPhase.RUNNING)
                                .podIP(ip)
                                .podIPs(List.of(PodIP.of(i -> i.ip(ip))))
                                .editConditions(GATE, c -> c.status(status))
                                .editConditions("Ready", c -> c.status(status)))));
  }

  private List<EndpointSlice> slices() throws InterruptedException {
    return slices.list(Selector.of(Map.of("kubernetes.io/service-name", "web"))).items();
  }

  private List<EndpointSlice> awaitSlices(Predicate<List<EndpointSlice>> condition)
      throws Exception {
    Poll.every(Duration.ofMillis(20))
        .immediately()
        .atMost(WAIT)
        .until(() -> condition.test(slices()));
    return slices();
  }

  private static List<Endpoint> all(List<EndpointSlice> slices) {
    return slices.stream().flatMap(slice -> slice.endpoints().stream()).toList();
  }

  private static long ready(List<EndpointSlice> slices) {
    return all(slices).stream().filter(e -> Boolean.TRUE.equals(e.conditions().ready())).count();
  }

  @Test
  void service_getsASliceWithThePortsAndConditionsOfItsPods() throws Exception {
    service(spec -> {});
    pod("one", "10.1.0.1", true);
    pod("two", "10.1.0.2", false);

    List<EndpointSlice> found =
        awaitSlices(s -> s.size() == 1 && all(s).size() == 2 && ready(s) == 1);

    assertThat(found).hasSize(1);
    EndpointSlice slice = found.get(0);
    assertThat(slice.addressType()).hasToString("IPv4");
    assertThat(slice.metadata().labels())
        .containsEntry("endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io")
        .containsEntry("team", "shop")
        .doesNotContainKey("service.kubernetes.io/headless");
    assertThat(slice.metadata().generateName()).isEqualTo("web-");
    assertThat(slice.metadata().controller().orElseThrow().name()).isEqualTo("web");
    assertThat(slice.ports())
        .containsExactly(EndpointPort.of(p -> p.name("http").port(8080).protocol(Protocol.TCP)));
    assertThat(slice.endpoints())
        .extracting(
            e -> e.addresses(),
            e -> e.conditions().ready(),
            e -> e.conditions().serving(),
            e -> e.conditions().terminating(),
            e -> e.targetRef().name(),
            e -> e.nodeName())
        .containsExactlyInAnyOrder(
            tuple(List.of("10.1.0.1"), true, true, false, "one", namespace),
            tuple(List.of("10.1.0.2"), false, false, false, "two", namespace));
  }

  @Test
  void podThatBecomesReadyOrGoes_changesTheSlice() throws Exception {
    service(spec -> {});
    pod("one", "10.1.0.1", false);
    awaitSlices(s -> all(s).size() == 1);

    status("one", "10.1.0.1", true);
    awaitSlices(s -> ready(s) == 1);

    pods.delete("one", DeleteOptions.builder().gracePeriod(Duration.ZERO).build());
    awaitSlices(s -> s.size() == 1 && all(s).isEmpty());
  }

  @Test
  void serviceWithoutPods_hasAnEmptySlice() throws Exception {
    service(spec -> {});

    List<EndpointSlice> found = awaitSlices(s -> s.size() == 1);

    assertThat(found.get(0).endpoints()).isEmpty();
    assertThat(found.get(0).ports()).isEmpty();
  }

  @Test
  void headlessServiceThatPublishesAll_hasReadyEndpoints() throws Exception {
    service(spec -> spec.clusterIP("None").publishNotReadyAddresses(true));
    pod("one", "10.1.0.1", false);

    List<EndpointSlice> found = awaitSlices(s -> ready(s) == 1);

    assertThat(found.get(0).metadata().labels()).containsKey("service.kubernetes.io/headless");
    assertThat(all(found).get(0).conditions().serving()).isFalse();
  }

  @Test
  void deletedSlice_isCreatedAgain() throws Exception {
    service(spec -> {});
    String first = awaitSlices(s -> s.size() == 1).get(0).metadata().name();

    slices.delete(first);

    awaitSlices(s -> s.size() == 1 && !first.equals(s.get(0).metadata().name()));
  }

  @Test
  void endpoints_haveReadyAndOtherAddresses_andGoWithTheService() throws Exception {
    service(spec -> {});
    pod("one", "10.1.0.1", true);
    pod("two", "10.1.0.2", false);

    Endpoints found =
        await(
                endpoints,
                "web",
                e ->
                    e.isPresent()
                        && e.get().subsets().size() == 1
                        && e.get().subsets().get(0).addresses().size() == 1
                        && e.get().subsets().get(0).notReadyAddresses().size() == 1)
            .orElseThrow();

    assertThat(found.metadata().labels())
        .containsEntry("team", "shop")
        .containsEntry("endpoints.kubernetes.io/managed-by", "endpoint-controller");
    EndpointSubset subset = found.subsets().get(0);
    assertThat(subset.addresses()).extracting(EndpointAddress::ip).containsExactly("10.1.0.1");
    assertThat(subset.notReadyAddresses())
        .extracting(EndpointAddress::ip)
        .containsExactly("10.1.0.2");
    assertThat(subset.ports())
        .extracting(p -> p.name(), p -> p.port())
        .containsExactly(tuple("http", 8080));
    services.delete("web");
    awaitGone(endpoints, "web");
  }

  @Test
  void serviceWithoutSelector_isLeftToItsOwner() throws Exception {
    service(spec -> {});
    services.create(
        Service.of(namespace, "manual", s -> s.editSpec(spec -> spec.addPorts(p -> p.port(80)))));
    endpoints.create(Endpoints.of(namespace, "manual", e -> {}));

    awaitSlices(s -> s.size() == 1);

    assertThat(endpoints.find("manual")).isPresent();
  }
}
