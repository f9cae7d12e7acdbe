package dev.clientgo.simulation.bugs;

import static dev.clientgo.simulation.bugs.ReconcilerBug.secrets;
import static dev.clientgo.simulation.bugs.ReconcilerBug.shops;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.ExternalService;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bugs that only one kind of fault shows. */
@Timeout(300)
final class FaultBugsTest {

  @SuppressWarnings("ImmutableEnumChecker") // Its code makes new state for each process.
  enum Bug implements Pair {
    /** The first of two records is the proof of both. No write to the cluster is between them. */
    TWO_CALLS_IN_A_ROW(
        process -> dns(process, false),
        process -> dns(process, true),
        FaultBugsTest::life,
        "0+crash-after-call:2",
        "there are 0 of dns.external mail.shop, expected 1",
        Kind.CRASH_AFTER_CALL,
        Kind.CALL_FAILS,
        Kind.CALL_LOST_ANSWER),
    /** The service makes the names of its records, so a retry at once makes a second record. */
    RECORD_CREATED_AGAIN(
        process -> record(process, false),
        process -> record(process, true),
        FaultBugsTest::life,
        "0+call-lost-answer:2",
        "there are 2 of dns.external record-*, expected 1",
        Kind.CALL_LOST_ANSWER),
    /** The old process deletes at its end what the next one needs. */
    TIDIES_UP_AT_ITS_END(
        process -> webhook(process, true),
        process -> webhook(process, false),
        simulation -> life(simulation.without(Kind.DELETE_CHILDREN)), // It is made at the start.
        "0+terminate:2",
        "it has deleted 1 of secrets default/webhook, but 0 without the faults",
        Kind.TERMINATE),
    /**
     * A list that allows any version is older than the state that the controller knows: the shop is
     * missing, as if it was deleted. https://github.com/kubernetes/kubernetes/issues/59848
     */
    BELIEVES_A_DELETION(
        process -> deletions(process, false),
        process -> deletions(process, true),
        simulation ->
            simulation
                .without(Kind.DELETE_CHILDREN) // It follows no secrets.
                .step("create another", client -> create(client, "market"))
                .step("create the shop", Shop.create("small")),
        "0+older-server:2/2",
        "because of an old view, and created it again",
        Kind.OLDER_SERVER),
    /** A deadline compares the clock of the controller with that of the server. */
    DEADLINE_BY_TWO_CLOCKS(
        process -> deadline(process, false),
        process -> deadline(process, true),
        simulation -> life(simulation.environment(FaultBugsTest::makesServersReady)),
        "0+clock-ahead:1",
        "state=failed",
        Kind.CLOCK_AHEAD),
    /** A wait of 70 s by a fast clock ends before a server is ready that takes 61 s. */
    GIVES_UP_BY_A_FAST_CLOCK(
        process -> patience(process, true),
        process -> patience(process, false),
        simulation -> life(simulation.environment(FaultBugsTest::makesServersReady)),
        "0+fast-clock:1",
        "state=failed",
        Kind.FAST_CLOCK),
    /** A thread for each shop keeps using what it knows, after the shop was moved away. */
    THREAD_OUTLIVES_ITS_SHARD(
        process -> sharded(process, true),
        process -> sharded(process, false),
        simulation ->
            withOnly( // Each run has renewals of leases.
                    simulation, Kind.SHARD_MOVES, Kind.CRASH_AFTER_WRITE)
                .quiet(Duration.ofSeconds(40))
                .step("create three shops", FaultBugsTest::createThree)
                .step("ask for large ones", FaultBugsTest::enlargeThree),
        "0+shard-moves:1",
        "it does not come to rest",
        Kind.SHARD_MOVES);

    private final ControllerSetup bug;
    private final ControllerSetup twin;
    private final UnaryOperator<ControllerSimulation> steps;
    private final String plan;
    private final String symptom;
    private final Kind[] only;

    Bug(
        ControllerSetup bug,
        ControllerSetup twin,
        UnaryOperator<ControllerSimulation> steps,
        String plan,
        String symptom,
        Kind... only) {
      this.bug = bug;
      this.twin = twin;
      this.steps = steps;
      this.plan = plan;
      this.symptom = symptom;
      this.only = only;
    }

    @Override
    public ControllerSimulation simulation(boolean withBug) {
      return steps.apply(
          ControllerSimulation.of(withBug ? bug : twin)
              .mostSystematic(SYSTEMATIC * 10)
              .seeds(1, SEEDS));
    }

    @Override
    public String plan() {
      return plan;
    }

    @Override
    public int replays() {
      return this == THREAD_OUTLIVES_ITS_SHARD ? Math.min(REPLAYS, 2) : REPLAYS; // Each takes 2 s.
    }

    @Override
    public String symptom() {
      return symptom;
    }
  }

  // ---- the tests

  @ParameterizedTest
  @EnumSource
  void bug_isFoundWithoutASpecification_andReplayed(Bug bug) {
    Pair.assertFound(bug);
  }

  @ParameterizedTest
  @EnumSource
  void twin_isSilent(Bug bug) { // AllBugs tries all its plans.
    bug.simulation(false).check(Plan.parse(bug.plan)).assertPassed();
  }

  /** Takes a minute, so it is run only if somebody asks for more seeds than usually. */
  @ParameterizedTest
  @EnumSource
  @EnabledIfSystemProperty(named = "simulation.seeds", matches = "\\d+")
  void otherFaults_doNotFindIt(Bug bug) {
    bug.simulation(true).without(bug.only).seeds(1, 0).run().assertPassed();
  }

  /** A member of a group of shards gets no answer for ten minutes, and nobody takes its place. */
  @Test
  void nextStep_waitsForAProcessThatIsCutOff() {
    Bug.THREAD_OUTLIVES_ITS_SHARD.simulation(false).replay("0+leader-change:1").assertPassed();
  }

  // ---- the controllers

  private static ControllerSimulation life(ControllerSimulation simulation) {
    return simulation
        .step("create the shop", Shop.create("small"))
        .step("delete the shop", Shop.delete());
  }

  private static void createThree(RESTClient client) throws InterruptedException {
    for (String name : List.of("shop", "market", "mall")) {
      create(client, name);
    }
  }

  private static void enlargeThree(RESTClient client) throws InterruptedException {
    for (String name : List.of("shop", "market", "mall")) {
      client
          .resource(ConfigMap.TYPE)
          .inNamespace(Shop.NAMESPACE)
          .patch(name, Shop.note("size", "large"));
    }
  }

  private static ControllerSimulation withOnly(ControllerSimulation simulation, Kind... kinds) {
    Set<Kind> others = EnumSet.allOf(Kind.class);
    others.removeAll(List.of(kinds));
    return simulation.without(others.toArray(Kind[]::new)).seeds(1, 0);
  }

  private static void create(RESTClient client, String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .create(ConfigMap.of(Shop.NAMESPACE, name, map -> map.data(Map.of("size", "small"))));
  }

  private static void run(SimulatedProcess process, Reconciler reconciler) {
    process.run(controller(reconciler));
  }

  private static Controller controller(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build();
  }

  /** A calling function of a service. */
  private interface Calls {
    void call(ConfigMap shop, Context context) throws Exception;
  }

  private static void finalizing(SimulatedProcess process, Calls live, Calls cleanup) {
    FinalizerSet<ConfigMap> set =
        FinalizerSet.of(
            ConfigMap.TYPE,
            "example.com/dns",
            (shop, context) -> {
              cleanup.call(shop, context);
              return Result.done();
            });
    run(
        process,
        (request, context) ->
            set.reconcile(
                request,
                context,
                (shop, c) -> {
                  live.call(shop, c);
                  return Result.done();
                }));
  }

  private static void dns(SimulatedProcess process, boolean looksForEach) {
    ExternalService dns = process.service("dns");
    finalizing(
        process,
        (shop, context) -> {
          if (looksForEach || dns.get("www.shop").isEmpty()) {
            dns.put("www.shop", "10.0.0.1");
            dns.put("mail.shop", "10.0.0.2");
          }
        },
        (shop, context) -> {
          dns.delete("www.shop");
          dns.delete("mail.shop");
        });
  }

  /** Looks first, so that it can be called again. */
  private static void record(SimulatedProcess process, boolean onlyOnce) {
    ExternalService dns = process.service("dns");
    finalizing(
        process,
        (shop, context) -> {
          if (!dns.list().isEmpty()) {
            return;
          }
          try {
            dns.create("record-", "10.0.0.1");
          } catch (IOException e) {
            if (onlyOnce) {
              throw e;
            }
            dns.create("record-", "10.0.0.1");
          }
        },
        (shop, context) -> {
          for (String key : dns.list().keySet()) {
            dns.delete(key);
          }
        });
  }

  private static void webhook(SimulatedProcess process, boolean deletes)
      throws InterruptedException {
    ResourceClient<Secret> secrets =
        process.client().resource(Secret.TYPE).inNamespace(Shop.NAMESPACE);
    if (secrets.find("webhook").isEmpty()) {
      secrets.create(Secret.of(Shop.NAMESPACE, "webhook", s -> {}));
    }
    if (deletes) {
      process.onStop(() -> secrets.deleteIfExists("webhook"));
    }
    run(
        process,
        (request, context) -> {
          Optional<ConfigMap> shop = shops(context).find(request);
          if (shop.isPresent() && request.name().equals("shop")) {
            secrets(context).apply(Shop.secret(shop.get(), "shop-password"));
          }
          return Result.done();
        });
  }

  /** Follows the shops without an informer. */
  private static void deletions(SimulatedProcess process, boolean latest)
      throws InterruptedException {
    ResourceClient<ConfigMap> shops =
        process.client().resource(ConfigMap.TYPE).inNamespace(Shop.NAMESPACE);
    Set<String> known = new TreeSet<>();
    while (true) {
      ListOptions options = ListOptions.builder().resourceVersion(latest ? null : "0").build();
      ResourceList<ConfigMap> list = shops.list(options);
      Set<String> gone = new TreeSet<>(known);
      for (ConfigMap shop : list.items()) {
        gone.remove(shop.metadata().name());
        keepSecret(process, shop, known);
      }
      for (String name : gone) {
        deleteSecret(process, name, known);
      }
      follow(process, shops, String.valueOf(list.metadata().resourceVersion()), known);
      process.clock().sleep(Duration.ofSeconds(1));
    }
  }

  private static void follow(
      SimulatedProcess process, ResourceClient<ConfigMap> shops, String from, Set<String> known)
      throws InterruptedException {
    try (Watch<ConfigMap> watch =
        shops.watch(ListOptions.builder().resourceVersion(from).build())) {
      Optional<WatchEvent<ConfigMap>> event = watch.next();
      while (event.isPresent() && !(event.get() instanceof WatchEvent.Failed<ConfigMap>)) {
        ConfigMap shop = event.get().value();
        if (event.get() instanceof WatchEvent.Deleted<ConfigMap>) {
          deleteSecret(process, String.valueOf(shop.metadata().name()), known);
        } else if (shop != null && shop.data().containsKey("size")) {
          keepSecret(process, shop, known);
        }
        event = watch.next();
      }
    }
  }

  private static void keepSecret(SimulatedProcess process, ConfigMap shop, Set<String> known)
      throws InterruptedException {
    ResourceClient<Secret> secrets =
        process.client().resource(Secret.TYPE).inNamespace(Shop.NAMESPACE);
    String name = shop.metadata().name() + "-password";
    if (secrets.find(name).isEmpty()) {
      secrets.create(Shop.secret(shop, name));
    }
    known.add(String.valueOf(shop.metadata().name()));
  }

  private static void deleteSecret(SimulatedProcess process, String shop, Set<String> known)
      throws InterruptedException {
    process
        .client()
        .resource(Secret.TYPE)
        .inNamespace(Shop.NAMESPACE)
        .deleteIfExists(shop + "-password");
    known.remove(shop);
  }

  /** A server that is not ready after four minutes has failed. */
  private static void deadline(SimulatedProcess process, boolean ownClock) {
    run(
        process,
        (request, context) -> {
          Optional<ConfigMap> found = shops(context).find(request);
          if (found.isEmpty() || !request.name().equals("shop")) {
            return Result.done();
          }
          ConfigMap shop = found.get();
          Instant now = process.clock().now();
          if (!shop.data().containsKey("since")) {
            shops(context).edit(shop, s -> Shop.withNote(s, "since", now.toString()));
            return Result.done();
          }
          secrets(context).createOrUpdate(Shop.secret(shop, "shop-server"), same -> same);
          if (shop.data().containsKey("state")) {
            return Result.done();
          }
          Instant start =
              ownClock
                  ? Instant.parse(shop.data().get("since"))
                  : shop.metadata().creationTimestamp().instant();
          boolean ready =
              secrets(context)
                  .uncached() // The cache may be from before it was ready.
                  .find("shop-server")
                  .map(server -> server.metadata().labels().containsKey("ready"))
                  .orElse(false);
          if (ready || Duration.between(start, now).toMinutes() >= 4) {
            String state = ready ? "ready" : "failed";
            shops(context)
                .uncached()
                .edit(
                    "shop",
                    s -> s.data().containsKey("state") ? s : Shop.withNote(s, "state", state));
            return Result.done();
          }
          return Result.requeueAfter(Duration.ofMinutes(1));
        });
  }

  /** Waits for a server in memory only, so no crash and no other clock makes the wait shorter. */
  private static void patience(SimulatedProcess process, boolean givesUp) {
    Map<String, Instant> since = new ConcurrentHashMap<>();
    run(
        process,
        (request, context) -> {
          Optional<ConfigMap> shop = shops(context).find(request);
          if (shop.isEmpty() || !request.name().equals("shop")) {
            return Result.done();
          }
          secrets(context).createOrUpdate(Shop.secret(shop.get(), "shop-server"), same -> same);
          if (shop.get().data().containsKey("state")) {
            return Result.done();
          }
          boolean ready =
              secrets(context)
                  .uncached()
                  .find("shop-server")
                  .map(server -> server.metadata().labels().containsKey("ready"))
                  .orElse(false);
          Instant now = process.clock().now();
          Duration waited = Duration.between(since.computeIfAbsent("shop", key -> now), now);
          if (ready || (givesUp && waited.toSeconds() >= 70)) {
            String state = ready ? "ready" : "failed";
            shops(context)
                .uncached()
                .edit(
                    "shop",
                    s -> s.data().containsKey("state") ? s : Shop.withNote(s, "state", state));
            return Result.done();
          }
          return Result.requeueAfter(Duration.ofSeconds(70));
        });
  }

  /** Plays the cluster: a server is ready after a minute. */
  private static void makesServersReady(SimulatedProcess process) {
    process.run(
        Controller.builder(
                (request, context) -> {
                  Optional<Secret> server = secrets(context).find(request);
                  if (server.isEmpty() || server.get().metadata().labels().containsKey("ready")) {
                    return Result.done();
                  }
                  Instant start = server.get().metadata().creationTimestamp().instant();
                  Duration age = Duration.between(start, process.clock().now());
                  if (age.toSeconds() < 60) {
                    return Result.requeueAfter(Duration.ofSeconds(61).minus(age));
                  }
                  secrets(context)
                      .edit(
                          server.get(),
                          s ->
                              s.with(
                                  e ->
                                      e.editMetadata(
                                          m ->
                                              m.editLabels(labels -> labels.put("ready", "yes")))));
                  return Result.done();
                })
            .forKind(Secret.TYPE)
            .build());
  }

  private static void sharded(SimulatedProcess process, boolean threads)
      throws InterruptedException {
    ResourceClient<Secret> secrets =
        process.client().resource(Secret.TYPE).inNamespace(Shop.NAMESPACE);
    Map<String, ConfigMap> known = new ConcurrentHashMap<>();
    Manager manager =
        process
            .manager()
            .shards(LeaseLock.of("default", "shops"), group -> group.slots(16))
            .build();
    process.onStop(manager);
    manager.add(
        Controller.builder(
                (request, context) -> {
                  Optional<ConfigMap> shop = shops(context).find(request);
                  if (shop.isEmpty() || !shop.get().data().containsKey("size")) {
                    return Result.done();
                  }
                  serve(secrets, shop.get());
                  if (threads && known.put(request.name(), shop.get()) == null) {
                    process
                        .threads()
                        .newThread(
                            () -> {
                              while (true) {
                                try {
                                  process.clock().sleep(Duration.ofSeconds(1));
                                  serve(secrets, known.get(request.name()));
                                } catch (InterruptedException e) {
                                  return;
                                }
                              }
                            })
                        .start();
                  }
                  return threads ? Result.done() : Result.requeueAfter(Duration.ofSeconds(1));
                })
            .forKind(ConfigMap.TYPE)
            .build());
    manager.run();
  }

  private static void serve(ResourceClient<Secret> secrets, ConfigMap shop)
      throws InterruptedException {
    String name = shop.metadata().name() + "-server";
    Secret wanted = Shop.secret(shop, name);
    Optional<Secret> now = secrets.find(name);
    if (now.isEmpty()) {
      secrets.create(wanted);
    } else if (!Shop.size(now.get()).equals(Shop.size(wanted))) {
      secrets.edit(
          name,
          server -> server.with(s -> s.editMetadata(m -> m.labels(wanted.metadata().labels()))));
    }
  }
}
