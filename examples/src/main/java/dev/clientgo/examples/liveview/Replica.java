package dev.clientgo.examples.liveview;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.LeadershipTerm;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RequestHead;
import dev.clientgo.rest.config.RequestInterceptor;
import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.WorkItem;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One of two processes of the same controller: it has a warm cache and a work queue, and works only
 * while it holds the Lease. It can be cut off from the server.
 */
final class Replica implements AutoCloseable {

  static final LeaseLock LEASE = LeaseLock.of("default", "pod-controller");

  private final String name;
  private final LiveView view;
  private final RESTClient client;
  private final SharedIndexInformer<Pod> informer;
  private final RateLimitingQueue<String> queue;
  private final LeaderElector elector;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger renewals = new AtomicInteger();
  private final AtomicInteger reconciled = new AtomicInteger();
  private final Clock clock;
  private volatile long lastAttempt;
  private volatile boolean isCut;
  private volatile boolean competes;
  private volatile boolean works;

  /**
   * Creates a replica, without starting it.
   *
   * @param clock the clock of its election
   */
  Replica(String name, RestConfig config, ReflectorOptions reading, LiveView view, Clock clock) {
    this.clock = clock;
    this.name = name;
    this.view = view;
    RequestInterceptor network = this::send;
    client = RESTClient.builder(config).addInterceptor(network).build();
    ResourceClient<Pod> pods = client.resource(Pod.TYPE);
    queue =
        RateLimitingQueue.create(
            RateLimiter.defaultController(),
            QueueConfig.builder().name(name).observer(view.queue(name)).build());
    informer =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
            .options(reading)
            .name(name)
            .watchErrorHandler((reflector, error) -> {}) // The page shows them.
            .observer(view.informer(Pod.TYPE))
            .build();
    informer.addEventHandler(
        handler ->
            handler
                .onAdd(pod -> queue.add(ObjectName.of(pod).toString()))
                .onUpdate((old, pod) -> queue.add(ObjectName.of(pod).toString()))
                .onDelete(gone -> queue.add(gone.key())),
        HandlerOptions.builder().name("enqueues").build());
    elector =
        LeaderElector.builder(client, LEASE, name)
            .onStartedLeading(this::work)
            .onStoppedLeading(() -> competes = false)
            .clock(clock)
            .random(new Random(1)) // The same pauses each time.
            .build();
  }

  /** Sends a request over a network that may be cut, and shows what happens to the Lease. */
  private ResponseHead send(RequestHead request, RequestInterceptor.Next next)
      throws InterruptedException {
    boolean ofLease = request.url().toString().contains("/leases");
    if (!ofLease) {
      checkNetwork();
      return next.send(request);
    }
    requests.incrementAndGet();
    try {
      String answer = "no connection";
      try {
        checkNetwork();
        ResponseHead head = next.send(request);
        answer = String.valueOf(head.code());
        return head;
      } finally {
        if (!request.isReadOnly()) {
          renewals.incrementAndGet();
          String verb = request.method().equals("POST") ? "create Lease" : "update Lease";
          view.written(name, verb, LEASE.toString(), answer);
        }
      }
    } finally {
      lastAttempt = clock.nanoTime();
      attempts.incrementAndGet();
      requests.decrementAndGet();
    }
  }

  private void checkNetwork() {
    if (isCut) {
      throw new TransportException(Kind.OTHER, "the network is cut", /* cause= */ null);
    }
  }

  /** Does the work of the leader until its term ends. */
  private void work(LeadershipTerm term) throws InterruptedException {
    works = true;
    try {
      Optional<WorkItem<String>> next = queue.get();
      while (next.isPresent() && !term.isOver()) {
        try (WorkItem<String> item = next.get()) {
          reconciled.incrementAndGet(); // It finds nothing to do.
          queue.forget(item.value());
        }
        next = queue.get();
      }
    } finally {
      works = false;
    }
  }

  /** Starts to read. */
  void start() {
    informer.start();
  }

  /** Competes for the Lease, perhaps again. */
  void compete() {
    lastAttempt = clock.nanoTime();
    competes = true;
    elector.start();
  }

  /** Cuts the replica off from the server, or connects it again. */
  void cut(boolean cut) {
    isCut = cut;
  }

  String name() {
    return name;
  }

  SharedIndexInformer<Pod> informer() {
    return informer;
  }

  boolean isLeader() {
    return elector.isLeader();
  }

  /** Returns the leader as this replica has seen it last. */
  String leader() {
    return elector.leader();
  }

  /** Returns whether the work of the leader runs here. */
  boolean works() {
    return works;
  }

  /** Returns whether the candidate runs, as a leader or as one that waits. */
  boolean competes() {
    return competes;
  }

  boolean isAsking() {
    return requests.get() > 0;
  }

  /** Returns how often it has asked for the Lease, or written it. */
  int attempts() {
    return attempts.get();
  }

  /** Returns how long ago it has asked for the Lease, or begun to compete. */
  Duration sinceAttempt() {
    return Duration.ofNanos(clock.nanoTime() - lastAttempt);
  }

  /** Returns how often it has written the Lease, or tried to. */
  int renewals() {
    return renewals.get();
  }

  int reconciled() {
    return reconciled.get();
  }

  int queued() {
    return queue.size();
  }

  @Override
  public void close() {
    isCut = false;
    elector.close();
    informer.close();
    queue.close();
    client.close();
  }
}
