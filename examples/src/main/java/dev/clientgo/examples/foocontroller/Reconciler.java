package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ObjectName;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves the actual state of one Foo towards its desired state.
 *
 * <p>It reads from the caches and does not depend on the event that caused the call. If it fails,
 * it throws; the queue then retries with increasing delays.
 */
final class Reconciler {

  private final ResourceClient<Foo> foos;
  private final ResourceClient<Deployment> deployments;
  private final Lister<Foo> knownFoos;
  private final Lister<Deployment> knownDeployments;
  private final PrintWriter out;

  Reconciler(
      ResourceClient<Foo> foos,
      ResourceClient<Deployment> deployments,
      Lister<Foo> knownFoos,
      Lister<Deployment> knownDeployments,
      PrintWriter out) {
    this.foos = foos;
    this.deployments = deployments;
    this.knownFoos = knownFoos;
    this.knownDeployments = knownDeployments;
    this.out = out;
  }

  void reconcile(ObjectName name) throws InterruptedException {
    Optional<Foo> known = find(knownFoos, name);
    if (known.isEmpty()) {
      out.println("controller: " + name + " is gone; its Deployment is the garbage collector's");
      return;
    }
    Foo foo = known.get();
    String deploymentName = foo.spec().deploymentName();
    if (deploymentName == null || deploymentName.isEmpty()) {
      out.println("controller: " + name + " names no Deployment"); // A retry would not help.
      return;
    }
    Deployment deployment = deployment(foo, new ObjectName(name.namespace(), deploymentName));
    if (deployment != null) {
      updateStatus(foo, deployment);
    }
  }

  /** Returns the Deployment in its desired state; null if another object controls it. */
  private @Nullable Deployment deployment(Foo foo, ObjectName name) throws InterruptedException {
    ResourceClient<Deployment> client = deployments.inNamespace(name.namespace());
    Optional<Deployment> known = find(knownDeployments, name);
    if (known.isEmpty()) {
      out.println("controller: creates Deployment " + name + " of " + foo.spec().replicas());
      return client.create(newDeployment(foo, name));
    }
    Deployment deployment = known.get();
    if (!OwnerReferences.isControlledBy(deployment, foo)) {
      out.println("controller: Deployment " + name + " exists and is not of this Foo");
      return null;
    }
    Integer wanted = foo.spec().replicas();
    if (wanted != null && !wanted.equals(deployment.spec().replicas())) {
      out.println("controller: scales Deployment " + name + " to " + wanted);
      return client.edit(
          name.name(), each -> each.with(d -> d.editSpec(spec -> spec.replicas(wanted))));
    }
    return deployment;
  }

  private void updateStatus(Foo foo, Deployment deployment) throws InterruptedException {
    Integer available = deployment.status().availableReplicas();
    Integer told = foo.status().availableReplicas();
    if (available != null && !available.equals(told)) {
      ObjectName name = ObjectName.of(foo);
      out.println("controller: " + name + " has " + available + " available");
      foos.inNamespace(name.namespace())
          .editStatus(
              name.name(),
              each -> each.with(f -> f.editStatus(s -> s.availableReplicas(available))));
    }
  }

  private static <T extends KubernetesObject> Optional<T> find(Lister<T> lister, ObjectName name) {
    try {
      return Optional.of(lister.inNamespace(name.namespace()).get(name.name()));
    } catch (ApiStatusException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Deployment newDeployment(Foo foo, ObjectName name) {
    Map<String, String> labels =
        Map.of("app", "nginx", "controller", String.valueOf(foo.metadata().name()));
    Deployment deployment =
        Deployment.of(
            name.namespace(),
            name.name(),
            d ->
                d.editSpec(
                    spec ->
                        spec.replicas(foo.spec().replicas())
                            .editSelector(selector -> selector.matchLabels(labels))
                            .editTemplate(
                                template ->
                                    template
                                        .editMetadata(meta -> meta.labels(labels))
                                        .editSpec(
                                            pod ->
                                                pod.editContainers(
                                                    "nginx", c -> c.image("nginx:1.29"))))));
    return OwnerReferences.setController(deployment, foo);
  }
}
