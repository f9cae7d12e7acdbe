package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kinds of bugs that the simulation finds although no test says what is right, each with the same
 * controller without the bug. A new kind is a row, and two reconcilers.
 */
@Timeout(300)
final class KindsOfBugsTest {

  /** A reconciler of shops, made for each process. */
  private interface Code extends Function<SimulatedProcess, Reconciler> {}

  @SuppressWarnings("ImmutableEnumChecker") // Its code makes new state for each process.
  enum Bug implements Pair {
    /**
     * The Secrets of a database remain when the database is deleted.
     * https://github.com/digitalocean/do-operator/issues/5
     */
    NO_OWNER_REFERENCE(
        process -> KindsOfBugsTest::withoutOwner,
        process -> KindsOfBugsTest::withOwner,
        "0+delete-everything:1",
        "there is secrets default/shop-password, which should not be"),
    /**
     * Pods do not restart when their configuration changes.
     * https://github.com/open-telemetry/opentelemetry-operator/issues/197
     */
    CONFIGURATION_NOT_ROLLED_OUT(
        process -> KindsOfBugsTest::hashOfTheFirst,
        process -> KindsOfBugsTest::hashOfTheLast,
        "0+fresh-cluster:2",
        "expected"),
    /**
     * A change of the spec that leads to no new state leaves the observed generation as it is.
     * https://github.com/k8ssandra/cass-operator/issues/657
     */
    STATUS_NEVER_CATCHES_UP(
        process -> (request, context) -> observe(request, context, false),
        process -> (request, context) -> observe(request, context, true),
        "0+fresh-cluster:2",
        "observedGeneration=(the generation)"),
    RANDOM_VALUE_WRITTEN_TWICE(
        process -> (request, context) -> password(process, context, false),
        process -> (request, context) -> password(process, context, true),
        "0+crash-after-write:1",
        "(random value 2)",
        Kind.EDIT_CHILDREN, // A user may choose another password.
        Kind.DELETE_CHILDREN),
    /**
     * A load balancer stays if the controller is restarted while its Service is deleted: a
     * finalizer is missing. https://github.com/kubernetes/kubernetes/issues/53451
     */
    EXTERNAL_RESOURCE_LEAKED(
        process -> KindsOfBugsTest::registerWithoutFinalizer,
        process -> finalizers(),
        "0+delete-everything:1",
        "data={shop=registered}"),
    TIMER_LONGER_THAN_THE_QUIET_TIME(
        process -> (request, context) -> trial(process, context, Duration.ofHours(1)),
        process -> (request, context) -> trial(process, context, Duration.ofMinutes(1)),
        "0+await-timers:1",
        "a timer longer than the quiet time changes the state",
        Kind.FRESH_CLUSTER), // In which the trial begins again.
    /**
     * The operator does not roll back manual changes of its Deployment.
     * https://github.com/kubernetes-sigs/cluster-api-operator/issues/589
     */
    DRIFT_IGNORED(
        process -> KindsOfBugsTest::createdOnce,
        process -> KindsOfBugsTest::withOwner,
        "0+edit-children:1",
        "the edit is not undone"),
    FINALIZER_TOO_LATE(
        process -> KindsOfBugsTest::finalizerAfterTheEffect,
        process -> finalizers(),
        "0+early-step:1",
        "data={shop=registered}"),
    /**
     * Addresses are counted in memory, so a restart begins at zero.
     * https://github.com/ellanetworks/core/issues/204
     */
    ALLOCATOR_IN_MEMORY(
        process -> allocator(new AtomicInteger()),
        process -> KindsOfBugsTest::storedPort,
        "0+delete-children:1",
        "port=1"),
    /**
     * A Deployment has another name in a new version, and nothing deletes the old one.
     * https://github.com/jaseci-labs/jac/pull/7880
     */
    CHILD_RENAMED(
        process -> (request, context) -> named(context, false),
        process -> (request, context) -> named(context, true),
        "0+fresh-cluster:2",
        "there are 0 of secrets default/shop-small, expected 1");

    private final Code bug;
    private final Code twin;
    private final String plan;
    private final String symptom;
    private final Kind[] without;

    Bug(Code bug, Code twin, String plan, String symptom, Kind... without) {
      this.bug = bug;
      this.twin = twin;
      this.plan = plan;
      this.symptom = symptom;
      this.without = without;
    }

    @Override
    public String plan() {
      return plan;
    }

    @Override
    public String symptom() {
      return symptom;
    }

    @Override
    public ControllerSimulation simulation(boolean withBug) {
      Code code = withBug ? bug : twin;
      ControllerSimulation simulation =
          ControllerSimulation.of(process -> process.run(controller(code.apply(process))))
              .prepare(client -> client.resource(ConfigMap.TYPE).create(cloud()))
              .without(without)
              .mostSystematic(SYSTEMATIC)
              .seeds(1, SEEDS);
      return this == STATUS_NEVER_CATCHES_UP
          ? simulation
              .step("create", client -> client.resource(Deployment.TYPE).create(deployment()))
              .step("scale", KindsOfBugsTest::scale)
          : this == FINALIZER_TOO_LATE
              ? simulation
                  .step("create the shop", Shop.create("small"))
                  .step("delete the shop", Shop.delete())
              : simulation
                  .step("create the shop", Shop.create("small"))
                  .step("ask for a large one", Shop.resize("large"))
                  .step("delete the shop", Shop.delete());
    }

    private Controller controller(Reconciler reconciler) {
      return this == STATUS_NEVER_CATCHES_UP
          ? Controller.builder(reconciler).forKind(Deployment.TYPE).build()
          : Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE)
              .owns(Secret.TYPE)
              .owns(Deployment.TYPE)
              .build();
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
  void twin_isSilent(Bug bug) {
    Pair.assertTwinIsSilent(bug);
  }

  // ---- the parts of the controllers

  private static ConfigMap cloud() {
    return ConfigMap.of("kube-public", "cloud", map -> {});
  }

  private static CachedResource<ConfigMap> clouds(Context context) {
    return context.client().resource(ConfigMap.TYPE).inNamespace("kube-public");
  }

  private static Optional<ConfigMap> shop(Context context) throws InterruptedException {
    return ReconcilerBug.shops(context).find("shop");
  }

  private static Secret secret(String name, Map<String, String> labels) {
    return Secret.of(Shop.NAMESPACE, name, s -> s.editMetadata(m -> m.labels(labels)));
  }

  private static void own(Context context, ConfigMap shop, Secret child)
      throws InterruptedException {
    ReconcilerBug.secrets(context).apply(OwnerReferences.setController(child, shop));
  }

  private static Result withOwner(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isPresent()) {
      Map<String, String> size = Map.of("size", Shop.size(shop.get()));
      Map<String, Bytes> data = Map.of("user", Bytes.ofUtf8("admin"));
      own(context, shop.get(), secret("shop-password", size).with(s -> s.data(data)));
    }
    return Result.done();
  }

  private static Result withoutOwner(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isPresent()) {
      Map<String, String> size = Map.of("size", Shop.size(shop.get()));
      ReconcilerBug.secrets(context).apply(secret("shop-password", size));
    }
    return Result.done();
  }

  private static Result createdOnce(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isPresent() && ReconcilerBug.secrets(context).find("shop-password").isEmpty()) {
      withOwner(request, context);
    }
    return Result.done();
  }

  private static Result hashOfTheFirst(Request request, Context context)
      throws InterruptedException {
    return hashed(context, ReconcilerBug.secrets(context).find("shop-server"));
  }

  private static Result hashOfTheLast(Request request, Context context)
      throws InterruptedException {
    return hashed(context, Optional.empty());
  }

  /** Writes the hash of the size, as that of a configuration that servers must see. */
  private static Result hashed(Context context, Optional<Secret> known)
      throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isPresent()) {
      String hash =
          known
              .map(server -> server.metadata().annotations().get("hash"))
              .orElseGet(() -> Integer.toHexString(Shop.size(shop.get()).hashCode()));
      Secret server =
          Secret.of(
              Shop.NAMESPACE,
              "shop-server",
              s -> s.editMetadata(m -> m.annotations(Map.of("hash", hash))));
      own(context, shop.get(), server);
    }
    return Result.done();
  }

  private static Deployment deployment() {
    return Deployment.of(
        Shop.NAMESPACE,
        "shop",
        d ->
            d.editSpec(
                spec ->
                    spec.replicas(1)
                        .editSelector(s -> s.matchLabels(Map.of("app", "shop")))
                        .editTemplate(
                            t ->
                                t.editMetadata(m -> m.labels(Map.of("app", "shop")))
                                    .editSpec(p -> p.addContainers(c -> c.name("a").image("a"))))));
  }

  private static void scale(RESTClient client) throws InterruptedException {
    client
        .resource(Deployment.TYPE)
        .inNamespace(Shop.NAMESPACE)
        .edit("shop", d -> d.with(e -> e.editSpec(spec -> spec.replicas(2))));
  }

  private static Result observe(Request request, Context context, boolean each)
      throws InterruptedException {
    CachedResource<Deployment> all = context.client().resource(Deployment.TYPE);
    Optional<Deployment> known = all.find(request);
    if (known.isPresent() && (each || known.get().status().observedGeneration() == null)) {
      Long generation = known.get().metadata().generation();
      all.editStatus(
          known.get(), d -> d.with(e -> e.editStatus(s -> s.observedGeneration(generation))));
    }
    return Result.done();
  }

  private static Result password(SimulatedProcess process, Context context, boolean readsIt)
      throws InterruptedException {
    CachedResource<Secret> secrets = ReconcilerBug.secrets(context);
    Optional<ConfigMap> shop = shop(context);
    if (shop.isEmpty()) {
      return Result.done();
    }
    byte[] made = new byte[8];
    process.random().nextBytes(made);
    Optional<Secret> of = secrets.find("shop-server");
    String password =
        of.filter(known -> readsIt)
            .map(known -> known.metadata().labels().get("password"))
            .orElse(HexFormat.of().formatHex(made));
    for (String name : new String[] {"shop-server", "shop-user"}) {
      if (secrets.find(name).isEmpty()) {
        Secret secret = secret(name, Map.of("password", password));
        secrets.create(OwnerReferences.setController(secret, shop.get()));
      }
    }
    return Result.done();
  }

  private static void register(Context context) throws InterruptedException {
    if (!clouds(context).get("cloud").data().containsKey("shop")) {
      clouds(context).patch("cloud", Shop.note("shop", "registered"));
    }
  }

  private static Result registerWithoutFinalizer(Request request, Context context)
      throws InterruptedException {
    if (shop(context).isPresent()) {
      register(context);
    }
    return Result.done();
  }

  private static Reconciler finalizers() {
    FinalizerSet<ConfigMap> set =
        FinalizerSet.of(
            ConfigMap.TYPE, "example.com/cloud", (shop, context) -> unregister(context));
    return (request, context) ->
        request.name().equals("shop")
            ? set.reconcile(
                request,
                context,
                (shop, live) -> {
                  register(live);
                  return Result.done();
                })
            : Result.done();
  }

  private static Result unregister(Context context) throws InterruptedException {
    clouds(context)
        .edit("cloud", cloud -> cloud.with(c -> c.editData(data -> data.remove("shop"))));
    return Result.done();
  }

  private static Result finalizerAfterTheEffect(Request request, Context context)
      throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isPresent() && shop.get().metadata().deletionTimestamp() != null) {
      unregister(context);
      edit(context, shop.get(), Set.of());
    } else if (shop.isPresent()) {
      register(context);
      edit(context, shop.get(), Set.of("example.com/cloud"));
    }
    return Result.done();
  }

  private static void edit(Context context, ConfigMap shop, Set<String> finalizers)
      throws InterruptedException {
    ReconcilerBug.shops(context)
        .edit(
            shop,
            now ->
                now.with(
                    m -> m.editMetadata(meta -> meta.finalizers(finalizers.stream().toList()))));
  }

  /** A trial ends after a time. */
  private static Result trial(SimulatedProcess process, Context context, Duration length)
      throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isEmpty()) {
      return Result.done();
    }
    ObjectMeta metadata = shop.get().metadata();
    Instant end = metadata.creationTimestamp().instant().plus(length);
    Duration left = Duration.between(process.clock().now(), end);
    boolean over = left.isNegative() || left.isZero();
    Map<String, String> phase = Map.of("phase", over ? "over" : "trial");
    own(context, shop.get(), secret("shop-trial", phase));
    // A look now and then changes nothing, so it is no reason to wait for it.
    return Result.requeueAfter(over ? Duration.ofHours(10) : left);
  }

  private static Reconciler allocator(AtomicInteger next) {
    return (request, context) -> {
      Optional<ConfigMap> shop = shop(context);
      if (shop.isPresent() && ReconcilerBug.secrets(context).find("shop-port").isEmpty()) {
        port(context, shop.get(), Integer.toString(next.incrementAndGet()));
      }
      return Result.done();
    };
  }

  private static void port(Context context, ConfigMap shop, String port)
      throws InterruptedException {
    own(context, shop, secret("shop-port", Map.of("port", port)));
  }

  /** The port of a shop is written on it before it is used. */
  private static Result storedPort(Request request, Context context) throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isPresent() && !shop.get().data().containsKey("port")) {
      Set<String> used =
          ReconcilerBug.shops(context).list().stream()
              .map(other -> String.valueOf(other.data().get("port")))
              .collect(Collectors.toSet());
      int free =
          IntStream.rangeClosed(1, 99).filter(p -> !used.contains("" + p)).findFirst().getAsInt();
      ReconcilerBug.shops(context)
          .edit(shop.get(), known -> Shop.withNote(known, "port", Integer.toString(free)));
    } else if (shop.isPresent()) {
      port(context, shop.get(), shop.get().data().get("port"));
    }
    return Result.done();
  }

  /** The name of the child depends on the size. */
  private static Result named(Context context, boolean deletesOthers) throws InterruptedException {
    Optional<ConfigMap> shop = shop(context);
    if (shop.isEmpty()) {
      return Result.done();
    }
    String name = "shop-" + Shop.size(shop.get());
    own(context, shop.get(), secret(name, Map.of("app", "shop")));
    Optional<ConfigMap> now = ReconcilerBug.shops(context).uncached().find("shop");
    // An old view of the size must not delete what is new.
    if (deletesOthers && now.map(Shop::size).equals(shop.map(Shop::size))) {
      for (Secret other : ReconcilerBug.secrets(context).ownedBy(shop.get())) {
        if (!other.metadata().name().equals(name)) {
          ReconcilerBug.secrets(context).deleteIfExists(other.metadata().name());
        }
      }
    }
    return Result.done();
  }
}
