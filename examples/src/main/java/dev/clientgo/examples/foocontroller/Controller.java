package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ObjectName;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedInformerFactory.ResourceInformer;
import dev.clientgo.examples.generated.Clientset;
import dev.clientgo.examples.generated.InformerFactory;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.Unfinished;
import dev.clientgo.workqueue.WorkFailure;
import dev.clientgo.workqueue.Workers;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The parts of every controller: informers, a work queue and workers. */
final class Controller implements AutoCloseable {

  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);
  private static final int WORKERS = 2;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final InformerFactory fooInformers;
  private final dev.clientgo.kubernetes.InformerFactory kubernetesInformers;
  private final RateLimitingQueue<ObjectName> queue =
      RateLimitingQueue.create(RateLimiter.defaultController());
  private final Reconciler reconciler;
  private final Duration drainTimeout;
  private final PrintWriter out;
  private @Nullable Workers workers;

  /**
   * Creates a controller without starting it.
   *
   * @param drainTimeout how long {@link #close} waits for workers to finish their items. Requests
   *     have no timeout, so without this limit it could wait for ever.
   */
  Controller(RESTClient client, Duration drainTimeout, PrintWriter out) {
    this.drainTimeout = drainTimeout;
    this.out = out;
    fooInformers = InformerFactory.create(client);
    kubernetesInformers = dev.clientgo.kubernetes.InformerFactory.create(client);
    ResourceInformer<Foo> foos = fooInformers.samplecontrollerK8s().v1alpha1().foos();
    ResourceInformer<Deployment> deployments = kubernetesInformers.apps().v1().deployments();
    reconciler =
        new Reconciler(
            Clientset.of(client).samplecontrollerK8s().v1alpha1().foos(),
            dev.clientgo.kubernetes.Clientset.of(client).apps().v1().deployments(),
            foos.lister(),
            deployments.lister(),
            out);
    foos.informer().addEventHandler(ResourceEventHandler.keys(queue::add));
    deployments.informer().addEventHandler(new DeploymentHandler());
  }

  /** Starts the informers; after their caches have synced, starts the workers. */
  void start() throws InterruptedException {
    fooInformers.start();
    kubernetesInformers.start();
    fooInformers.awaitSynced(SYNC_TIMEOUT).orThrow();
    kubernetesInformers.awaitSynced(SYNC_TIMEOUT).orThrow();
    workers =
        Workers.builder(queue, reconciler::reconcile)
            .count(WORKERS)
            .routine(ApiStatusException::isConflictOrNotFound)
            .onFailure(this::reportIfItPersists)
            .closeTimeout(CLOSE_TIMEOUT)
            .start();
  }

  private void reportIfItPersists(WorkFailure<ObjectName> failure) {
    if (failure.requeues() == 10) {
      out.println("! " + failure.item() + " has failed eleven times: " + failure.error());
    }
  }

  /** Closes everything in reverse order; waits a limited time for workers to finish. */
  @Override
  public void close() {
    try {
      if (workers != null) {
        Unfinished<ObjectName> left = queue.shutDownWithDrain(drainTimeout);
        if (!left.isEmpty()) {
          out.println("! not finished in time: " + left);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The thread is interrupted, so close without waiting.
    }
    queue.close();
    if (workers != null) {
      workers.close();
    }
    fooInformers.close();
    kubernetesInformers.close();
  }

  /** Enqueues the Foo that owns a Deployment when the Deployment changes. */
  private final class DeploymentHandler implements ResourceEventHandler<Deployment> {

    @Override
    public void onAdd(Deployment deployment, boolean isInInitialList) {
      enqueueOwner(deployment);
    }

    @Override
    public void onUpdate(Deployment before, Deployment deployment) {
      enqueueOwner(deployment);
    }

    @Override
    public void onDelete(DeletedObject<Deployment> deleted) {
      Deployment last = deleted.lastKnown();
      if (last != null) {
        enqueueOwner(last);
      }
    }

    private void enqueueOwner(KubernetesObject object) {
      ObjectName name = ObjectName.of(object);
      OwnerReferences.controllerOf(object)
          .filter(owner -> "Foo".equals(owner.kind()))
          .ifPresent(
              owner -> queue.add(new ObjectName(name.namespace(), String.valueOf(owner.name()))));
    }
  }
}
