package dev.clientgo.envtest;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out whether a cluster can run a pod in the namespace {@code default}. */
final class ClusterReadiness {

  private final boolean withControllers;
  private final ResourceClient<Unstructured> nodes;
  private final ResourceClient<Unstructured> accounts;
  private final ResourceClient<Unstructured> configMaps;

  /**
   * Creates the check.
   *
   * @param withControllers whether controllers run, which make the account of pods
   */
  ClusterReadiness(RESTClient client, boolean withControllers) {
    this.withControllers = withControllers;
    nodes = client.dynamic(new GroupVersionResource("", "v1", "nodes"));
    accounts = inDefault(client, "serviceaccounts");
    configMaps = inDefault(client, "configmaps");
  }

  private static ResourceClient<Unstructured> inDefault(RESTClient client, String resource) {
    return client.dynamic(new GroupVersionResource("", "v1", resource)).inNamespace("default");
  }

  /** Returns the name of something that is not there yet, or null if all is ready. */
  @Nullable String missing(List<String> names) throws InterruptedException {
    if (withControllers && accounts.find("default").isEmpty()) {
      return "service account default";
    }
    if (withControllers && configMaps.find("kube-root-ca.crt").isEmpty()) {
      return "config map kube-root-ca.crt";
    }
    for (String name : names) {
      if (!isReady(nodes.find(name))) {
        return "ready node " + name;
      }
    }
    return null;
  }

  /** A node gets a taint until it is ready, which is removed a moment later. */
  private static boolean isReady(Optional<Unstructured> node) {
    return node.filter(found -> found.nestedList("spec", "taints").isEmpty()).stream()
        .flatMap(found -> JsonTree.objects(found.content(), "status", "conditions").stream())
        .anyMatch(each -> "Ready".equals(each.get("type")) && "True".equals(each.get("status")));
  }
}
