package dev.clientgo.kubernetes.alpha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.alpha.coordination.v1alpha2.LeaseCandidate;
import dev.clientgo.kubernetes.alpha.resource.v1beta1.ResourceSlice;
import dev.clientgo.kubernetes.alpha.scheduling.v1alpha3.Workload;
import dev.clientgo.kubernetes.core.v1.NodeSelector;
import dev.clientgo.kubernetes.core.v1.NodeSelectorOperator;
import dev.clientgo.kubernetes.scheduling.v1alpha3.TopologyConstraint;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.discovery.DiscoveryClient;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The alpha and beta kinds of the real kube-apiserver, which serves all that it has. */
final class KubeApiServerAlphaTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server =
        KubeApiServer.builder()
            .flag("--runtime-config=api/all=true")
            .flag("--feature-gates=AllAlpha=true,AllBeta=true")
            .start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  @Test
  void servedKinds_areListedInBothEncodings() throws Exception {
    Set<GroupVersionResource> served = served();
    List<ResourceClient<?>> clients = clients();
    assertThat(clients).hasSize(30); // Two of them of metrics.k8s.io, which is an extension.
    clients.removeIf(each -> !served.contains(each.type().resource()));

    for (ResourceClient<?> each : clients) {
      assertThat(each.list(ListOptions.NONE).items()).isNotNull();
      assertThat(client.resource(each.type().protobuf()).list(ListOptions.NONE).items())
          .isNotNull();
    }

    System.out.println("alpha and beta kinds of 1." + minor() + ": " + clients.size());
    if (minor() >= 37) {
      assertThat(clients).hasSize(28);
    } else {
      assertThat(clients).hasSizeGreaterThan(15);
    }
  }

  @Test
  void leaseCandidate_livesThroughGeneratedCode() throws Exception {
    ResourceClient<LeaseCandidate> candidates =
        Clientset.of(client).coordination().v1alpha2().leaseCandidates("default");
    LeaseCandidate candidate =
        LeaseCandidate.of(
            "default",
            "a",
            c ->
                c.editSpec(
                    s ->
                        s.leaseName("lease")
                            .binaryVersion("1.37.2")
                            .emulationVersion("1.37.0")
                            .strategy("OldestEmulationVersion")));
    try (SharedInformerFactory factory =
        SharedInformerFactory.builder(Clientset.of(client)).build()) {
      var informer = InformerFactory.of(factory).coordination().v1alpha2().leaseCandidates();
      informer.informer();
      factory.start();
      factory.awaitSynced(TIMEOUT).orThrow();

      LeaseCandidate created = candidates.create(candidate);
      assertThat(created.spec()).isEqualTo(candidate.spec());
      LeaseCandidate updated =
          candidates.update(created.with(c -> c.editSpec(s -> s.binaryVersion("1.38.0"))));

      assertThat(inProtobuf(candidates).get("a")).isEqualTo(updated);
      assertThat(
              informer
                  .informer()
                  .awaitResourceVersion(updated.metadata().resourceVersion(), TIMEOUT))
          .isTrue();
      assertThat(informer.lister().inNamespace("default").get("a")).isEqualTo(updated);
    }
    assertThat(deletion(candidates, "a")).isEqualTo("1.38.0");
  }

  /** Deletes a candidate, and returns the version of the one that the watch says is gone. */
  private static String deletion(ResourceClient<LeaseCandidate> candidates, String name)
      throws InterruptedException {
    ListOptions now =
        ListOptions.builder()
            .resourceVersion(candidates.get(name).metadata().resourceVersion())
            .timeout(TIMEOUT)
            .build();
    try (Watch<LeaseCandidate> watch = candidates.watch(now)) {
      candidates.delete(name);
      WatchEvent<LeaseCandidate> event = watch.next().orElseThrow();
      assertThat(event).isInstanceOf(WatchEvent.Deleted.class);
      return ((WatchEvent.Deleted<LeaseCandidate>) event).value().spec().binaryVersion();
    }
  }

  @Test
  void resourceSlice_hasTheNodeSelectorOfCore() throws Exception {
    NodeSelector selector =
        NodeSelector.of(
            n ->
                n.addNodeSelectorTerms(
                    t ->
                        t.addMatchFields(
                            f ->
                                f.key("metadata.name")
                                    .operator(NodeSelectorOperator.IN)
                                    .values(List.of("n")))));
    ResourceClient<ResourceSlice> slices =
        Clientset.of(client).resource().v1beta1().resourceSlices();

    ResourceSlice created =
        slices.create(
            ResourceSlice.of(
                "a",
                r ->
                    r.editSpec(
                        s ->
                            s.driver("gpu.example.com")
                                .nodeSelector(selector)
                                .editPool(
                                    p -> p.name("p").generation(1L).resourceSliceCount(1L)))));

    assertThat(created.spec().nodeSelector()).isEqualTo(selector);
    assertThat(inProtobuf(slices).get("a")).isEqualTo(created);
  }

  @Test
  void workload_hasTheConstraintsOfItsVersion() throws Exception {
    assumeTrue(minor() >= 37, "scheduling.k8s.io/v1alpha3 is new in 1.37");
    ResourceClient<Workload> workloads =
        Clientset.of(client).scheduling().v1alpha3().workloads("default");
    TopologyConstraint rack = TopologyConstraint.of(t -> t.key("example.com/rack"));

    Workload created =
        workloads.create(
            Workload.of(
                "default",
                "a",
                w ->
                    w.editSpec(
                        s ->
                            s.addPodGroupTemplates(
                                g ->
                                    g.name("g")
                                        .editSchedulingPolicy(p -> p.editGang(x -> x.minCount(2)))
                                        .editSchedulingConstraints(
                                            c -> c.topology(List.of(rack)))))));

    assertThat(created.spec().podGroupTemplates().get(0).schedulingConstraints().topology())
        .containsExactly(rack);
    assertThat(inProtobuf(workloads).get("a")).isEqualTo(created);
  }

  private static <T extends KubernetesObject> ResourceClient<T> inProtobuf(
      ResourceClient<T> typed) {
    ResourceClient<T> all = client.resource(typed.type().protobuf());
    return typed.namespace() == null ? all : all.inNamespace(typed.namespace());
  }

  private static int minor() throws InterruptedException {
    return Integer.parseInt(DiscoveryClient.of(client).serverVersion().minor());
  }

  private static Set<GroupVersionResource> served() throws InterruptedException {
    return DiscoveryClient.of(client).serverGroupsAndResources().resources().entrySet().stream()
        .flatMap(
            version ->
                version.getValue().stream().map(each -> version.getKey().withResource(each.name())))
        .collect(Collectors.toSet());
  }

  /** Returns what all paths {@code clientset.group().version().resource()} lead to. */
  private static List<ResourceClient<?>> clients() throws ReflectiveOperationException {
    List<ResourceClient<?>> found = new ArrayList<>();
    Clientset clientset = Clientset.of(client);
    for (Method group : getters(clientset)) {
      Object versions = group.invoke(clientset);
      for (Method version : getters(versions)) {
        Object resources = version.invoke(versions);
        for (Method resource : getters(resources)) {
          found.add((ResourceClient<?>) resource.invoke(resources));
        }
      }
    }
    return found;
  }

  private static List<Method> getters(Object object) {
    return List.of(object.getClass().getDeclaredMethods()).stream()
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> method.getReturnType() != void.class)
        .toList();
  }
}
