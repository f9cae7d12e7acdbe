package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.examples.generated.InformerFactory;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.workqueue.ItemHandler;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.WorkQueue;
import dev.clientgo.workqueue.Workers;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A controller by hand: it keeps a Deployment for each Foo. */
final class FooController implements AutoCloseable {

  private final SharedInformerFactory informers;
  private final RateLimitingQueue<ObjectName> queue;
  private final ResourceClient<Foo> foos;
  private final ResourceClient<Deployment> deployments;
  private final Lister<Foo> knownFoos;
  private final Lister<Deployment> knownDeployments;
  private final Duration drainTimeout;
  private final PrintWriter out;
  private @Nullable Workers workers;

  FooController(RESTClient client, Duration drainTimeout, PrintWriter out) {
    this(
        client,
        InformerFactory.create(client).shared(),
        RateLimitingQueue.create(RateLimiter.defaultController()),
        drainTimeout,
        out);
  }

  /** Takes informers and a queue that a simulation has made. */
  FooController(
      RESTClient client,
      SharedInformerFactory informers,
      RateLimitingQueue<ObjectName> queue,
      Duration drainTimeout,
      PrintWriter out) {
    this.informers = informers;
    this.queue = queue;
    this.drainTimeout = drainTimeout;
    this.out = out;
    foos = client.resource(Foo.TYPE);
    deployments = client.resource(Deployment.TYPE);
    knownFoos = informers.of(Foo.TYPE).lister();
    knownDeployments = informers.of(Deployment.TYPE).lister();
    informers.informer(Foo.TYPE).addEventHandler(ResourceEventHandler.keys(queue::add));
    informers
        .informer(Deployment.TYPE)
        .addEventHandler(ResourceEventHandler.owners(Foo.TYPE, queue::add));
  }

  /** Starts the informers, and the workers as soon as the caches are full. */
  void start() throws InterruptedException {
    start(Workers.builder(queue, this::reconcile));
  }

  /** Does the same with workers that a simulation has made, which call {@link #reconcile}. */
  void start(Workers.Builder<ObjectName> builder) throws InterruptedException {
    informers.start();
    informers.awaitSynced(Duration.ofSeconds(30)).orThrow();
    workers =
        builder
            .count(2)
            .routine(ApiStatusException::isConflictOrNotFound)
            .onFailure(this::reportIfItPersists)
            .closeTimeout(Duration.ofSeconds(2))
            .start();
  }

  private void reportIfItPersists(ItemHandler.Failure<ObjectName> failure) {
    if (failure.requeues() == 10) {
      out.println("! " + failure.item() + " has failed eleven times: " + failure.error());
    }
  }

  /**
   * Moves a Foo towards its desired state. If this throws, the queue retries with growing delays.
   */
  void reconcile(ObjectName name) throws InterruptedException {
    Foo foo = knownFoos.find(name).orElse(null);
    if (foo == null) {
      return; // It is gone, and its Deployment is the garbage collector's.
    }
    Foo.Spec wanted = foo.spec();
    if (wanted.deploymentName() == null) {
      return; // A retry would not help.
    }
    ObjectName deploymentName = new ObjectName(name.namespace(), wanted.deploymentName());
    Deployment deployment = knownDeployments.find(deploymentName).orElse(null);
    if (deployment == null) {
      deployment = deployments.create(newDeployment(foo, deploymentName, wanted.replicas()));
    } else if (!OwnerReferences.isControlledBy(deployment, foo)) {
      out.println("! Deployment " + deploymentName + " is not of Foo " + name);
      return;
    } else if (!Objects.equals(wanted.replicas(), deployment.spec().replicas())) {
      deployment =
          deployments
              .inNamespace(name.namespace())
              .edit(
                  deploymentName.name(),
                  old -> old.with(d -> d.editSpec(spec -> spec.replicas(wanted.replicas()))));
    }
    Integer available = deployment.status().availableReplicas();
    if (available != null && !available.equals(foo.status().availableReplicas())) {
      foos.inNamespace(name.namespace())
          .editStatus(
              name.name(), old -> old.with(f -> f.editStatus(s -> s.availableReplicas(available))));
    }
  }

  private static Deployment newDeployment(Foo foo, ObjectName name, @Nullable Integer replicas) {
    Map<String, String> labels = Map.of("app", "nginx", "controller", ObjectName.of(foo).name());
    Deployment deployment =
        Deployment.of(
            name.namespace(),
            name.name(),
            d ->
                d.editSpec(
                    spec ->
                        spec.replicas(replicas)
                            .editSelector(selector -> selector.matchLabels(labels))
                            .editTemplate(
                                pod ->
                                    pod.editMetadata(meta -> meta.labels(labels))
                                        .editSpec(
                                            p ->
                                                p.editContainers(
                                                    "nginx", c -> c.image("nginx:1.29"))))));
    return OwnerReferences.setController(deployment, foo);
  }

  /** Lets the workers finish for a while, then closes everything. */
  @Override
  public void close() {
    if (workers != null) {
      WorkQueue.Unfinished<?> left = workers.drain(drainTimeout);
      if (!left.isEmpty()) {
        out.println("! not finished in time: " + left);
      }
    }
    informers.close();
  }
}
