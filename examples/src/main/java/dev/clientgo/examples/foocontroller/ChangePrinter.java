package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.examples.generated.InformerFactory;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Prints how Foos and their Deployments change, whichever controller changes them. */
final class ChangePrinter implements AutoCloseable {

  private final SharedInformerFactory informers;
  private final PrintWriter out;

  ChangePrinter(RESTClient client, PrintWriter out) {
    this.out = out;
    informers = InformerFactory.create(client).shared();
    informers
        .informer(Deployment.TYPE)
        .addEventHandler(
            handler -> handler.onAdd(this::added).onUpdate(this::updated).onDelete(this::deleted));
    informers
        .informer(Foo.TYPE)
        .addEventHandler(
            handler ->
                handler
                    .onUpdate(this::updated)
                    .onDelete(deleted -> print("Foo", deleted.objectName(), "is deleted")));
  }

  /** Starts the informers and returns at once. */
  void start() {
    informers.start();
  }

  private void added(Deployment added) {
    if (isOfFoo(added)) {
      print("Deployment", ObjectName.of(added), "is created, replicas: " + replicas(added));
    }
  }

  private void updated(Deployment before, Deployment after) {
    if (isOfFoo(after) && !Objects.equals(replicas(before), replicas(after))) {
      print("Deployment", ObjectName.of(after), "is scaled, replicas: " + replicas(after));
    }
  }

  private void deleted(DeletedObject<Deployment> deleted) {
    if (deleted.lastKnown() != null && isOfFoo(deleted.lastKnown())) {
      print("Deployment", deleted.objectName(), "is deleted");
    }
  }

  private static boolean isOfFoo(Deployment deployment) {
    return OwnerReferences.controllerOf(deployment)
        .filter(owner -> "Foo".equals(owner.kind()))
        .isPresent();
  }

  private static @Nullable Integer replicas(Deployment deployment) {
    return deployment.spec().replicas();
  }

  private void updated(Foo before, Foo after) {
    Integer available = after.status().availableReplicas();
    if (!Objects.equals(before.status().availableReplicas(), available)) {
      print("Foo", ObjectName.of(after), "has available replicas: " + available);
    }
  }

  private void print(String kind, ObjectName name, String change) {
    out.println("cluster: " + kind + " " + name + " " + change);
  }

  @Override
  public void close() {
    informers.close();
  }
}
