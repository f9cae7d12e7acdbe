package dev.clientgo.examples.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.apimachinery.yaml.YamlWriter;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.Page;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.kubectl.Wait;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.Workers;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/from-java-clients.md}. */
final class MigrationPageTest {

  private static final Path SOURCES = Path.of("src/test/java/dev/clientgo/examples/migration");

  @TempDir private Path folder;

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient client = RESTClient.create(server.restConfig());

  @BeforeEach
  void createShop() throws Exception {
    client.resource(Namespace.TYPE).create(Namespace.of(n -> n.editMetadata(m -> m.name("shop"))));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void page_showsOnlyCompiledCode() throws Exception {
    Page page = Page.read("docs/from-java-clients.md");
    String code =
        unindented(Files.readString(SOURCES.resolve("MigrationPageTest.java")))
            + unindented(Files.readString(SOURCES.resolve("FollowWeb.java")));

    assertThat(page.all("java")).hasSize(10).allMatch(block -> code.contains(unindented(block)));
  }

  private static String unindented(String text) {
    return text.replaceAll("(?m)^ +", "");
  }

  @Test
  void client_ofAContext() throws Exception {
    Path file = folder.resolve("config");
    server.writeKubeconfig(file);

    RestConfig config = KubeConfigLoader.builder().file(file).context("envtest").build().load();
    try (RESTClient staging =
        RESTClient.create(config.toBuilder().timeout(Duration.ofSeconds(30)).build())) {
      assertThat(staging.resource(Namespace.TYPE).list().items()).isNotEmpty();
    }
    try (RESTClient ofText =
        RESTClient.create(KubeConfig.parse(Files.readString(file)).restConfig())) {
      assertThat(ofText.resource(Namespace.TYPE).list().items()).isNotEmpty();
    }
  }

  @Test
  void reading() throws Exception {
    client.resource(Pod.TYPE).create(pod("web-0"));

    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("shop");
    Pod pod = pods.get("web-0"); // An ApiStatusException if there is none.
    Optional<Pod> missing = pods.find("web-9");
    List<Pod> web = pods.list(Selector.parse("app=web")).items();
    List<Pod> everywhere = client.resource(Pod.TYPE).list().items();

    assertThat(missing).isEmpty();
    assertThat(web).containsExactly(pod).isEqualTo(everywhere);
  }

  @Test
  void writing() throws Exception {
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("shop");
    maps.create(ConfigMap.of("shop", "settings", map -> map.data(Map.of("level", "info"))));
    maps.edit("settings", old -> old.with(map -> map.editData(data -> data.put("level", "debug"))));
    maps.apply(
        ConfigMap.of("shop", "settings", map -> map.data(Map.of("level", "warn"))),
        ApplyOptions.of("my-program").force());
    maps.patch("settings", Patch.merge("{\"data\": {\"level\": \"error\"}}"));

    assertThat(maps.get("settings").data()).isEqualTo(Map.of("level", "error"));

    maps.delete(
        "settings",
        DeleteOptions.builder().propagationPolicy(DeletionPropagation.FOREGROUND).build());
    boolean deleted = maps.deleteIfExists("other"); // False: there is none.

    assertThat(deleted).isFalse();
  }

  /** The row for fabric8's {@code createOr(update)}. */
  @Test
  void createOrUpdate_replacesAndApplyKeeps() throws Exception {
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("shop");
    maps.create(ConfigMap.of("shop", "a", map -> map.data(Map.of("theirs", "1"))));
    ConfigMap ours = ConfigMap.of("shop", "a", map -> map.data(Map.of("ours", "1")));

    maps.apply(ours, ApplyOptions.of("my-program"));
    assertThat(maps.get("a").data()).containsOnlyKeys("theirs", "ours");
    try {
      maps.create(ours);
    } catch (ApiStatusException e) {
      assertThat(e.isAlreadyExists()).isTrue();
      maps.update(ours);
    }
    assertThat(maps.get("a").data()).containsOnlyKeys("ours");
  }

  @Test
  void status_ofOwnKind() throws Exception {
    FooDefinition.install(client);
    client.resource(Foo.TYPE).create(Foo.of("shop", "a", foo -> foo.editSpec(s -> s.replicas(1))));

    ResourceClient<Foo> foos = client.resource(Foo.TYPE).inNamespace("shop");
    foos.editStatus("a", old -> old.with(foo -> foo.editStatus(s -> s.availableReplicas(3))));

    assertThat(foos.get("a").status().availableReplicas()).isEqualTo(3);
  }

  @Test
  void informer_withAnIndexAndAQueue() throws Exception {
    Pod onNode1 = pod("web-0").with(pod -> pod.editSpec(s -> s.nodeName("node-1")));
    client.resource(Pod.TYPE).create(onNode1);
    BlockingQueue<ObjectName> seen = new LinkedBlockingQueue<>();
    InformerFactory factory = InformerFactory.create(client);

    RateLimitingQueue<ObjectName> queue = RateLimitingQueue.create(RateLimiter.defaultController());
    SharedIndexInformer<Pod> pods = factory.of(Pod.TYPE).inNamespace("shop").informer();
    pods.addIndexers(Map.of("node", IndexFunction.ofNullable(pod -> pod.spec().nodeName())));
    pods.addEventHandler(ResourceEventHandler.keys(queue::add));
    factory.start();
    factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
    Workers workers = Workers.start(queue, 4, name -> seen.add(name));
    List<Pod> onNode = pods.indexer().byIndex("node", "node-1");

    assertThat(onNode).hasSize(1);
    assertThat(seen.poll(30, TimeUnit.SECONDS)).hasToString("shop/web-0");
    workers.drain(Duration.ofSeconds(15));
    factory.close();
  }

  @Test
  void dynamic_withoutAType() throws Exception {
    FooDefinition.install(client);

    var type = new GroupVersionResource("samplecontroller.k8s.io", "v1alpha1", "foos");
    ResourceClient<Unstructured> foos = client.dynamic(type).inNamespace("shop");
    Unstructured foo =
        Unstructured.of(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("replicas", 1)))
            .withType("samplecontroller.k8s.io/v1alpha1", "Foo");
    foos.create(foo);
    foos.edit("a", old -> old.with(2, "spec", "replicas"));
    long replicas = foos.get("a").nestedLong("spec", "replicas").orElse(0L);

    assertThat(replicas).isEqualTo(2);
  }

  @Test
  void manifests_andWaiting() throws Exception {
    String yaml = YamlWriter.format(Pod.CODEC, pod("web-1"));
    Path deploy = Files.writeString(folder.resolve("web.yaml"), yaml);

    Apply.with(client, "my-program").run(Manifests.read(deploy)).orThrow();
    List<Pod> read = YamlReader.of("web.yaml").read(Files.readString(deploy), Pod.CODEC);
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("shop");
    Wait.forCreate().timeout(Duration.ofMinutes(1)).on(pods, "web-1");
    pods.delete("web-1");
    Wait.forDelete().timeout(Duration.ofMinutes(1)).on(pods, "web-1");

    assertThat(read).hasSize(1);
    assertThat(pods.find("web-1")).isEmpty();
  }

  @Test
  void errors() throws Exception {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE);
    pods.create(pod("web-0"));

    try {
      pods.create(pod("web-0"));
    } catch (ApiStatusException e) { // The server has answered, with an error.
      if (!e.isAlreadyExists()) {
        throw e;
      }
    } catch (TransportException e) { // It has not answered.
      throw new IllegalStateException("is the cluster up?", e);
    }

    assertThat(pods.list().items()).hasSize(1);
  }

  private static Pod pod(String name) {
    return Pod.of(
        "shop",
        name,
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", "web")))
                .editSpec(s -> s.editContainers("web", c -> c.image("nginx:1.29"))));
  }

  @Test
  void program_followsAndScales() throws Exception {
    client.resource(Pod.TYPE).create(pod("web-0"));
    ResourceClient<Deployment> deployments = client.resource(Deployment.TYPE).inNamespace("shop");
    deployments.create(Deployment.of("shop", "web", web -> web.editSpec(s -> s.replicas(1))));
    server.writeKubeconfig(folder.resolve("kubeconfig"));
    ProcessBuilder java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                FollowWeb.class.getName())
            .redirectErrorStream(true);
    java.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());

    Process program = java.start();
    try (BufferedReader lines = program.inputReader(UTF_8)) {
      assertThat(List.of(readLine(lines), readLine(lines)))
          .containsExactlyInAnyOrder("added web-0", "1 web pods in the cache");
      deployments.await(
          "web",
          now -> now.isPresent() && Integer.valueOf(3).equals(now.get().spec().replicas()),
          Duration.ofSeconds(60));
      client.resource(Pod.TYPE).inNamespace("shop").delete("web-0");
      assertThat(readLine(lines)).isEqualTo("deleted web-0");
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  private static String readLine(BufferedReader lines) {
    return assertTimeoutPreemptively(Duration.ofSeconds(60), lines::readLine);
  }
}
