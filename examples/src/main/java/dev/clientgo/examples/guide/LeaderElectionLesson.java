package dev.clientgo.examples.guide;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/** Lesson 11 of the guide: two copies of a controller, of which one works; events. */
@Command(
    name = "leader-election",
    description =
        "Runs a controller twice, of which one leads, ends the leader, lists the events of both,"
            + " and ends. It starts a server of its own.")
public final class LeaderElectionLesson extends Lesson {

  private static final LeaseLock LOCK = LeaseLock.of("default", "greeter");

  private final BlockingQueue<String> reconciled = new LinkedBlockingQueue<>();

  /** The command line parser calls this. */
  public LeaderElectionLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "a", map -> {}));
    try (Manager second = manager(client, "second")) {
      try (Manager first = manager(client, "first")) {
        first.start();
        out.println(next());
        second.start();
        out.println("first leads: " + first.isLeader() + ", second leads: " + second.isLeader());
        printLease(client, out);
        out.println("first ends, and gives the lease back");
      }
      out.println(next());
      out.println("second leads: " + second.isLeader());
      printLease(client, out);
    }
    client.resource(Event.TYPE).list().stream()
        .filter(event -> "Greeted".equals(event.reason()))
        .map(event -> "event of " + event.reportingController() + ": " + event.note())
        .sorted()
        .forEach(out::println);
  }

  private Manager manager(RESTClient client, String process) {
    Manager manager =
        Manager.builder(client)
            .leaderIdentity(process)
            .leaderElection(
                LOCK,
                options ->
                    options
                        .leaseDuration(Duration.ofSeconds(15))
                        .renewDeadline(Duration.ofSeconds(10))
                        .retryPeriod(Duration.ofMillis(200)))
            .gracefulShutdownTimeout(Duration.ofSeconds(5))
            .build();
    manager.add(
        Controller.builder((request, context) -> greet(process, request, context))
            .named("greeter")
            .forKind(ConfigMap.TYPE)
            .build());
    return manager;
  }

  private Result greet(String process, Request request, Context context)
      throws InterruptedException {
    Optional<ConfigMap> map = context.client().resource(ConfigMap.TYPE).find(request);
    if (map.isPresent() && request.name().equals("a")) {
      context.events().normal(map.get(), "Greeted", "Greet", "hello from %s", process);
      reconciled.add(process + " reconciles " + request);
    }
    return Result.done();
  }

  private String next() throws InterruptedException {
    String next = reconciled.poll(60, TimeUnit.SECONDS);
    if (next == null) {
      throw new IllegalStateException("nothing was reconciled within a minute");
    }
    return next;
  }

  private static void printLease(RESTClient client, PrintWriter out) throws InterruptedException {
    Lease lease = client.resource(Lease.TYPE).inNamespace(LOCK.namespace()).get(LOCK.name());
    out.println(
        "the lease is held by "
            + lease.spec().holderIdentity()
            + ", transitions "
            + lease.spec().leaseTransitions());
  }
}
