package dev.clientgo.envtest.controllers;

import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.ResourceQuota;
import dev.clientgo.kubernetes.core.v1.ResourceQuotaScope;
import dev.clientgo.kubernetes.core.v1.ResourceQuotaSpec;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the use that resource quotas tell. */
abstract class ResourceQuotaContract extends ControllerContract {

  private String namespace;
  private ResourceClient<ResourceQuota> quotas;
  private ResourceClient<Pod> pods;
  private ResourceClient<Secret> secrets;

  @BeforeEach
  void createNamespace() throws Exception {
    namespace = namespace();
    quotas = client().resource(ResourceQuota.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
    secrets = client().resource(Secret.TYPE).inNamespace(namespace);
    awaitPresent(client().resource(ServiceAccount.TYPE).inNamespace(namespace), "default");
  }

  /** Returns quantities: names and numbers in turn. */
  private static Map<String, Quantity> amounts(String... namesAndNumbers) {
    Map<String, Quantity> amounts = new HashMap<>();
    for (int i = 0; i < namesAndNumbers.length; i += 2) {
      amounts.put(namesAndNumbers[i], Quantity.of(namesAndNumbers[i + 1]));
    }
    return amounts;
  }

  /** Creates a quota and waits until what is created counts. */
  private void quota(Consumer<ResourceQuotaSpec.Builder> edit) throws Exception {
    quotas.create(ResourceQuota.of(namespace, "quota", q -> q.editSpec(edit)));
    await(quotas, "quota", found -> !found.orElseThrow().status().used().isEmpty());
    if (server() instanceof KubeCluster) {
      awaitAdmission();
    }
  }

  /**
   * Waits until the admission plugin of kube-apiserver, which adds nothing to a quota whose status
   * it has not seen, has seen all that was written so far: it refuses what a quota forbids that was
   * created last.
   */
  private void awaitAdmission() throws Exception {
    quotas.create(
        ResourceQuota.of(
            namespace, "last", q -> q.editSpec(s -> s.hard(amounts("count/configmaps", "0")))));
    ResourceClient<ConfigMap> configMaps = client().resource(ConfigMap.TYPE).inNamespace(namespace);
    CreateOptions dryRun = CreateOptions.builder().dryRun(true).build();
    Eventually.await(
        "kube-apiserver knows the quotas",
        () -> {
          try {
            configMaps.create(ConfigMap.of(namespace, "probe", c -> {}), dryRun);
            return false;
          } catch (ApiStatusException e) {
            return e.isForbidden() && e.getMessage().contains("exceeded quota: last");
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void awaitUsed(String... namesAndNumbers) throws Exception {
    Map<String, Quantity> used = amounts(namesAndNumbers);
    await(quotas, "quota", found -> found.orElseThrow().status().used().equals(used));
  }

  /** Creates a pod that no scheduler takes. */
  private void pod(String name, Consumer<Container.Builder> edit) throws Exception {
    pods.create(
        Pod.of(
            namespace,
            name,
            p ->
                p.editSpec(
                    s ->
                        s.schedulerName("none")
                            .addContainers(
                                c -> {
                                  c.name("c").image("example.com/app");
                                  edit.accept(c);
                                }))));
  }

  @Test
  void objects_areCounted() throws Exception {
    secrets.create(Secret.of(namespace, "one", s -> {}));

    quota(q -> q.hard(amounts("secrets", "5", "count/deployments.apps", "3", "services", "2")));

    awaitUsed("secrets", "1", "count/deployments.apps", "0", "services", "0");
    secrets.create(Secret.of(namespace, "two", s -> {}));
    client()
        .resource(Deployment.TYPE)
        .inNamespace(namespace)
        .create(
            Deployment.of(
                namespace,
                "web",
                d ->
                    d.editSpec(
                        s ->
                            s.replicas(0)
                                .editSelector(l -> l.matchLabels(Map.of("app", "web")))
                                .editTemplate(
                                    t ->
                                        t.editMetadata(m -> m.labels(Map.of("app", "web")))
                                            .editSpec(
                                                p ->
                                                    p.addContainers(
                                                        c -> c.name("c").image("i")))))));
    awaitUsed("secrets", "2", "count/deployments.apps", "1", "services", "0");
    secrets.delete("one");
    awaitUsed("secrets", "1", "count/deployments.apps", "1", "services", "0");
  }

  @Test
  void pods_areCountedWithWhatTheyRequest_untilTheyEnd() throws Exception {
    quota(
        q ->
            q.hard(
                amounts(
                    "pods",
                    "10",
                    "count/pods",
                    "10",
                    "requests.cpu",
                    "4",
                    "requests.memory",
                    "4Gi",
                    "limits.cpu",
                    "8",
                    "limits.memory",
                    "8Gi")));
    awaitUsed(
        "pods",
        "0",
        "count/pods",
        "0",
        "requests.cpu",
        "0",
        "requests.memory",
        "0",
        "limits.cpu",
        "0",
        "limits.memory",
        "0");

    pod(
        "one",
        c ->
            c.editResources(
                r ->
                    r.requests(amounts("cpu", "250m", "memory", "64Mi"))
                        .limits(amounts("cpu", "1", "memory", "128Mi"))));
    pod("two", c -> c.editResources(r -> r.limits(amounts("cpu", "500m", "memory", "64Mi"))));

    awaitUsed(
        "pods",
        "2",
        "count/pods",
        "2",
        "requests.cpu",
        "750m",
        "requests.memory",
        "128Mi",
        "limits.cpu",
        "1500m",
        "limits.memory",
        "192Mi");
    pods.editStatus("one", p -> p.with(b -> b.editStatus(s -> s.phase(PodPhase.SUCCEEDED))));
    awaitUsed(
        "pods",
        "1",
        "count/pods",
        "2",
        "requests.cpu",
        "500m",
        "requests.memory",
        "64Mi",
        "limits.cpu",
        "500m",
        "limits.memory",
        "64Mi");
    pods.delete("two", DeleteOptions.builder().gracePeriod(Duration.ZERO).build());
    awaitUsed(
        "pods",
        "0",
        "count/pods",
        "1",
        "requests.cpu",
        "0",
        "requests.memory",
        "0",
        "limits.cpu",
        "0",
        "limits.memory",
        "0");
  }

  @Test
  void scope_choosesPods() throws Exception {
    quota(
        q ->
            q.hard(amounts("pods", "5"))
                .editScopes(scopes -> scopes.add(ResourceQuotaScope.BEST_EFFORT)));
    pod("best-effort", c -> {});
    pod("burstable", c -> c.editResources(r -> r.requests(amounts("cpu", "100m"))));

    awaitUsed("pods", "1");
    pods.delete("best-effort", DeleteOptions.builder().gracePeriod(Duration.ZERO).build());
    awaitUsed("pods", "0");
  }

  @Test
  void changedLimits_areInTheStatus() throws Exception {
    quota(q -> q.hard(amounts("secrets", "5")));
    awaitUsed("secrets", "0");

    quotas.edit("quota", q -> q.with(b -> b.editSpec(s -> s.hard(amounts("services", "1")))));

    awaitUsed("services", "0");
    await(
        quotas,
        "quota",
        found -> found.orElseThrow().status().hard().equals(amounts("services", "1")));
  }
}
