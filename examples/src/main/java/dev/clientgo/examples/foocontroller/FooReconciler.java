package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import java.util.Map;

/** The same controller with the runtime, which has the informers, the queue and the workers. */
final class FooReconciler implements Reconciler {

  @Override
  public Result reconcile(Request request, Context context) throws InterruptedException {
    var foos = context.client().resource(Foo.TYPE).inNamespace(request.namespace());
    Foo foo = foos.find(request.name()).orElse(null);
    if (foo == null || foo.spec().deploymentName() == null) {
      return Result.done(); // It is gone, and its Deployment is the garbage collector's.
    }
    String name = foo.spec().deploymentName();
    var wanted = Deployment.of(request.namespace(), name, d -> d.editSpec(s -> fill(s, foo)));
    var owned = OwnerReferences.setController(wanted, foo);
    var deployments = context.client().resource(Deployment.TYPE);
    // The server creates the Deployment, changes it, or refuses because it is not this Foo's.
    Deployment deployment = deployments.apply(owned, ApplyOptions.of("foo-controller")).object();
    Integer available = deployment.status().availableReplicas();
    if (available != null && !available.equals(foo.status().availableReplicas())) {
      foos.editStatus(
          request.name(), old -> old.with(f -> f.editStatus(s -> s.availableReplicas(available))));
    }
    return Result.done();
  }

  private static void fill(DeploymentSpec.Builder spec, Foo foo) {
    Map<String, String> labels = Map.of("app", "nginx", "controller", foo.metadata().name());
    spec.replicas(foo.spec().replicas()).editSelector(selector -> selector.matchLabels(labels));
    spec.editTemplate(t -> t.editMetadata(meta -> meta.labels(labels)));
    spec.editTemplate(t -> t.editSpec(p -> p.editContainers("nginx", c -> c.image("nginx:1.29"))));
  }
}
