package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** Lesson 9 of the guide: three clients, and five ways to write. */
@Command(
    name = "clients",
    description =
        "Reads an object with three clients, and writes it by update, patches and apply, with"
            + " their conflicts, and ends. It starts a server of its own.")
public final class ClientsLesson extends Lesson {

  /** The command line parser calls this. */
  public ClientsLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    ResourceClient<Deployment> deployments =
        client.resource(Deployment.TYPE).inNamespace("default");
    deployments.create(web());
    threeClients(client, deployments, out);
    update(deployments, out);
    patches(deployments, out);
    apply(client, out);
  }

  private static Deployment web() {
    Map<String, String> labels = Map.of("app", "web");
    return Deployment.of(
        "default",
        "web",
        d ->
            d.editSpec(
                spec ->
                    spec.replicas(1)
                        .editSelector(selector -> selector.matchLabels(labels))
                        .editTemplate(
                            pod ->
                                pod.editMetadata(meta -> meta.labels(labels))
                                    .editSpec(
                                        s -> s.editContainers("web", c -> c.image("nginx:1"))))));
  }

  private static void threeClients(
      RESTClient client, ResourceClient<Deployment> deployments, PrintWriter out)
      throws InterruptedException {
    out.println("== Three clients");
    Deployment typed = deployments.get("web");
    out.println("typed:    replicas " + typed.spec().replicas());

    Unstructured dynamic =
        client.dynamic(Deployment.TYPE.resource()).inNamespace("default").get("web");
    out.println("dynamic:  replicas " + dynamic.nestedLong("spec", "replicas").orElseThrow());

    PartialObjectMetadata metadata =
        client.metadata(Deployment.TYPE.resource()).inNamespace("default").get("web");
    out.println("metadata: " + metadata.metadata().name() + ", and no spec");
  }

  private static void update(ResourceClient<Deployment> deployments, PrintWriter out)
      throws InterruptedException {
    out.println("== Update: two writers read the same version");
    Deployment first = deployments.get("web");
    Deployment second = deployments.get("web");
    deployments.update(scaled(first, 2));
    out.println("the first writes replicas 2");
    try {
      deployments.update(scaled(second, 3));
    } catch (ApiStatusException e) {
      out.println("the second: " + e.code() + " " + e.reason());
    }
    Deployment edited = deployments.edit("web", now -> scaled(now, 3));
    out.println("edit reads again and sends a patch: replicas " + edited.spec().replicas());
  }

  private static Deployment scaled(Deployment deployment, int replicas) {
    return deployment.with(d -> d.editSpec(spec -> spec.replicas(replicas)));
  }

  private static void patches(ResourceClient<Deployment> deployments, PrintWriter out)
      throws InterruptedException {
    out.println("== The same patch, as two types");
    Map<String, Object> addLog =
        Map.of(
            "spec",
            Map.of(
                "template",
                Map.of(
                    "spec",
                    Map.of("containers", List.of(Map.of("name", "log", "image", "log:1"))))));
    out.println("before:          " + containers(deployments.get("web")));
    Deployment merged = deployments.patch("web", Patch.strategicMerge(addLog));
    out.println("strategic merge: " + containers(merged));
    Deployment replaced = deployments.patch("web", Patch.merge(addLog));
    out.println("merge patch:     " + containers(replaced));
    out.println("== A JSON patch with a test");
    try {
      deployments.patch(
          "web",
          Patch.json(
              JsonPatch.builder().test("/spec/replicas", 7).replace("/spec/replicas", 8).build()));
    } catch (ApiStatusException e) {
      out.println("refused: " + e.code() + " " + e.reason());
    }
  }

  private static List<String> containers(Deployment deployment) {
    return deployment.spec().template().spec().containers().stream()
        .map(Container::name)
        .sorted()
        .toList();
  }

  private static void apply(RESTClient client, PrintWriter out) throws InterruptedException {
    out.println("== Server-side apply: two owners");
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    maps.apply(prices(Map.of("apple", "1", "pear", "1")), ApplyOptions.of("shop"));
    try {
      maps.apply(prices(Map.of("apple", "2")), ApplyOptions.of("sales"));
    } catch (ApiStatusException e) {
      out.println("sales: " + e.code() + " " + e.reason());
      StatusDetails details = e.status().details();
      if (details != null) {
        details.causes().forEach(cause -> out.println("  " + cause.message()));
      }
    }
    maps.apply(prices(Map.of("apple", "2")), ApplyOptions.of("sales").force());
    printOwners("sales has forced it", maps, out);
    maps.apply(prices(Map.of()), ApplyOptions.of("shop"));
    printOwners("shop applies nothing", maps, out);
  }

  private static ConfigMap prices(Map<String, String> data) {
    return ConfigMap.of("default", "prices", map -> map.data(data));
  }

  private static void printOwners(String what, ResourceClient<ConfigMap> maps, PrintWriter out)
      throws InterruptedException {
    ConfigMap prices = maps.get("prices");
    out.println(what + ": " + new TreeMap<>(prices.data()));
    for (ManagedFieldsEntry entry : prices.metadata().managedFields()) {
      out.println("  " + entry.manager() + " owns " + entry.fieldsV1());
    }
  }
}
