package dev.clientgo.simulation.bugs;

import static dev.clientgo.simulation.bugs.ReconcilerBug.secrets;
import static dev.clientgo.simulation.bugs.ReconcilerBug.shops;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ObjectReconciler;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.ControllerSetup;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedProcess;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bugs that users have reported in public trackers, each made again in a small controller of shops.
 * No test says what is right. The comment of a row is the report.
 */
@Timeout(300)
final class TrackedBugsTest {

  /** Makes the controller of a process. */
  private interface Code extends Function<SimulatedProcess, Controller> {}

  private static final Step CREATE = Shop.create("small");
  private static final Step ENLARGE = Shop.resize("large");

  private static ControllerSimulation life(ControllerSimulation simulation) {
    return simulation
        .step("create the shop", CREATE)
        .step("ask for a large one", ENLARGE)
        .step("delete the shop", Shop.delete());
  }

  private static ControllerSimulation shortLife(ControllerSimulation simulation) {
    return simulation.step("create the shop", CREATE).step("delete the shop", Shop.delete());
  }

  private static ControllerSimulation lifeWithToken(ControllerSimulation simulation) {
    return simulation
        .step("create the shop", CREATE)
        .step("create the token", token("first"))
        .step("change the token", changeToken("second"));
  }

  @SuppressWarnings("ImmutableEnumChecker") // Its code makes new state for each process.
  enum Bug implements Pair {
    /**
     * Annotations that were removed from the custom resource stay on its Deployment, because the
     * operator merges. https://github.com/VictoriaMetrics/operator/issues/1171
     */
    LABEL_NEVER_REMOVED(
        process -> owning((shop, context) -> labels(shop, context, true)),
        process -> owning((shop, context) -> labels(shop, context, false)),
        simulation ->
            simulation
                .step("create the shop", CREATE)
                .step("paint the shop", Shop.paint("red"))
                .step("take the colour off", edit(data -> data.remove("colour"))),
        "0+fresh-cluster:3",
        "colour=red"),
    /**
     * An object of the operator that a user deletes does not come back: nothing watches it.
     * https://github.com/openshift/pagerduty-operator/issues/2
     */
    CHILD_NOT_WATCHED(
        process -> shopsOnly((shop, context) -> keep(shop, context, "shop-password")),
        process -> owning((shop, context) -> keep(shop, context, "shop-password")),
        TrackedBugsTest::life,
        "0+delete-children:1",
        "it does not come back"),
    /**
     * The operator compares with its own memory of what it has applied, so it does not see that the
     * object is gone. https://github.com/istio/istio/issues/23238
     */
    LAST_APPLIED_IN_MEMORY(
        process -> appliedInMemory(),
        process -> owning((shop, context) -> keep(shop, context, "shop-password")),
        TrackedBugsTest::life,
        "0+delete-children:1",
        "it does not come back"),
    /**
     * After a restart, the operator reads from an old API server that the cluster is being deleted,
     * and deletes the volume of the new cluster of the same name.
     * https://github.com/pravega/zookeeper-operator/issues/312
     */
    OLD_DELETION_TIMESTAMP(
        process -> owning(TrackedBugsTest::tidyUpByName),
        process -> owning(TrackedBugsTest::tidyUpByUid),
        simulation ->
            shortLife(simulation).step("create it again", CREATE).mostSystematic(SYSTEMATIC * 6),
        "0+stale-restart:3/3",
        "because of an old view, and created it again"),
    /**
     * By an old size, which it reads after a restart, the operator deletes the StatefulSet, to make
     * it with the volume of that size. https://github.com/rabbitmq/cluster-operator/issues/653
     */
    OLD_SIZE_MAKES_IT_AGAIN(
        process -> owning((shop, context) -> replace(shop, context, false)),
        process -> owning((shop, context) -> replace(shop, context, true)),
        simulation ->
            simulation
                .step("create the shop", Shop.create("1"))
                .step("enlarge the shop", Shop.resize("2"))
                .mostSystematic(SYSTEMATIC * 6),
        "0+stale-restart:2/1",
        "because of an old view, and created it again"),
    /**
     * The status holds the time of the last look, so each write leads to the next one.
     * https://github.com/kube-rs/kube/issues/354
     */
    TIME_OF_EACH_LOOK(
        process -> owning((shop, context) -> look(process, shop, context, true)),
        process -> owning((shop, context) -> look(process, shop, context, false)),
        TrackedBugsTest::shortLife,
        "0",
        "it does not come to rest"),
    /**
     * If the controller restarts while a Service is deleted, its load balancer stays: only the
     * memory of the controller knew of it. https://github.com/kubernetes/kubernetes/issues/78124
     */
    DELETION_KNOWN_IN_MEMORY(
        process -> registeredInMemory(),
        process -> finalizing(Clouds::unregister, Clouds::register),
        TrackedBugsTest::shortLife,
        "0+crash-before-write:2",
        "data={shop=registered}"),
    /**
     * If external access is switched off, the Ingress and the Services of the nodes remain.
     * https://github.com/apache/solr-operator/issues/673
     */
    DISABLED_PART_STAYS(
        process -> owning((shop, context) -> parts(shop, context, false)),
        process -> owning((shop, context) -> parts(shop, context, true)),
        simulation ->
            simulation
                .step("create a large shop", Shop.create("large"))
                .step("ask for a small one", Shop.resize("small")),
        "0+fresh-cluster:2",
        "there are 0 of secrets default/shop-extra, expected 1"),
    /**
     * Each reconcile makes new passwords, and updates the Secret.
     * https://github.com/openstack-k8s-operators/osp-director-operator/pull/322
     */
    PASSWORD_OF_EACH_RECONCILE(
        process -> owning((shop, context) -> password(process, shop, context, false)),
        process -> owning((shop, context) -> password(process, shop, context, true)),
        TrackedBugsTest::shortLife,
        "0",
        "it does not come to rest"),
    /**
     * A Secret to which the custom resource refers changes, and no reconcile follows.
     * https://github.com/metal3-io/baremetal-operator/issues/1321
     */
    REFERENCED_SECRET_NOT_WATCHED(
        process -> owning((shop, context) -> copyToken(shop, context)),
        process -> followingTokens((shop, context) -> copyToken(shop, context)),
        TrackedBugsTest::lifeWithToken,
        "0+fresh-cluster:2",
        "secrets default/shop-server is"),
    /**
     * The reconciler says that a Secret is missing, and does not take that back when it is there.
     * https://github.com/Kong/kong-operator/issues/4870
     */
    FAILURE_NEVER_CLEARED(
        process -> followingTokens((shop, context) -> reportToken(shop, context, false)),
        process -> followingTokens((shop, context) -> reportToken(shop, context, true)),
        TrackedBugsTest::lifeWithToken,
        "0+fresh-cluster:2",
        "problem=no token"),
    /**
     * A ServiceAccount that many custom resources share belongs to one of them, and goes with it.
     * https://github.com/kubevirtbmc/kubevirtbmc/issues/116
     */
    SHARED_OBJECT_OF_ONE_OWNER(
        process -> owning(TrackedBugsTest::shareOfTheFirst),
        process -> sharing(),
        simulation ->
            simulation
                .step("create the shop", CREATE)
                .step("create another", createNamed("market"))
                .step("delete the shop", Shop.delete()),
        "0+fresh-cluster:2",
        "secrets default/shared is"),
    /**
     * A predicate lets only new generations pass, so a change of an annotation that the operator
     * reads is ignored until the next restart. https://github.com/openshift/oadp-operator/pull/2208
     */
    ANNOTATION_IGNORED_BY_PREDICATE(
        process -> announcing(Predicate.ofUpdates((a, b) -> !a.data().equals(b.data()))),
        process -> announcing(Predicate.everything()),
        simulation ->
            simulation
                .step("create the shop", CREATE)
                .step("announce a sale", TrackedBugsTest::announce),
        "0+fresh-cluster:2",
        "news=sale"),
    /**
     * The operator removes the finalizers of other controllers too, and these never tidy up.
     * https://github.com/tigera/operator/pull/4381
     */
    FINALIZERS_OF_OTHERS_REMOVED(
        process -> owning((shop, context) -> ownFinalizer(shop, context, false)),
        process -> owning((shop, context) -> ownFinalizer(shop, context, true)),
        simulation -> shortLife(simulation.environment(backups())),
        "0+delete-everything:1",
        "backup=kept"),
    /**
     * Two custom resources have one object with the same name, and their reconciles fight over it.
     * https://github.com/cryostatio/cryostat-operator/issues/524
     */
    ONE_NAME_FOR_TWO(
        process -> owning((shop, context) -> take(shop, context, "server")),
        process -> owning((shop, context) -> take(shop, context, shop.metadata().name() + "-srv")),
        simulation ->
            simulation
                .step("create the shop", CREATE)
                .step("create another", createNamed("market")),
        "0",
        "it does not come to rest"),
    /**
     * The operator panics if an optional field is missing.
     * https://github.com/coralogix/coralogix-operator/issues/510
     */
    PANIC_WITHOUT_AN_OPTIONAL_FIELD(
        process -> owning((shop, context) -> sized(shop, context, Shop.size(shop).strip())),
        process ->
            owning(
                (shop, context) -> sized(shop, context, String.valueOf(Shop.size(shop)).strip())),
        simulation ->
            simulation
                .step("create the shop", CREATE)
                .step("take the size off", edit(data -> data.remove("size"))),
        "0",
        "NullPointerException"),
    /**
     * The reconciler creates what is there already, and fails again and again.
     * https://github.com/janus-idp/operator/issues/58
     */
    ALREADY_EXISTS(
        process -> owning((shop, context) -> createAndNote(shop, context, false)),
        process -> owning((shop, context) -> createAndNote(shop, context, true)),
        TrackedBugsTest::shortLife,
        "0+crash-after-write:1",
        "configmaps default/shop is"),
    /**
     * A custom resource cannot be deleted if its external resource is gone already: the cleanup
     * fails, and the finalizer stays. https://github.com/Twingate/kubernetes-operator/issues/403
     */
    CLEANUP_FAILS_THE_SECOND_TIME(
        process -> finalizing(Clouds::deleteZone, Clouds::createZone),
        process -> finalizing(Clouds::deleteZoneIfExists, Clouds::createZone),
        TrackedBugsTest::shortLife,
        "0+crash-after-write:3",
        "the last reconcile of default/shop has failed",
        Kind.DELETE_CHILDREN), // The zone stands for what no informer shows.
    /**
     * If the controller is interrupted between the creation and the status that remembers it, it
     * creates again after its restart. https://github.com/aws-controllers-k8s/community/issues/2062
     */
    CREATED_TWICE(
        process -> owning((shop, context) -> createUnderNewName(shop, context)),
        process -> owning((shop, context) -> createAndNote(shop, context, true)),
        TrackedBugsTest::shortLife,
        "0+crash-after-write:1",
        "secrets default/shop-password-*"),
    /**
     * A Secret in a namespace has an owner in another one: the garbage collector deletes it at
     * once. https://github.com/operator-framework/operator-sdk/issues/2029
     */
    OWNER_IN_ANOTHER_NAMESPACE(
        process -> abroad((shop, live) -> copyAbroad(shop, live, true)),
        process -> abroad((shop, live) -> copyAbroad(shop, live, false)),
        TrackedBugsTest::shortLife,
        "0",
        "it does not come to rest");

    private final Code bug;
    private final Code twin;
    private final UnaryOperator<ControllerSimulation> steps;
    private final String plan;
    private final String symptom;
    private final Kind[] without;

    Bug(
        Code bug,
        Code twin,
        UnaryOperator<ControllerSimulation> steps,
        String plan,
        String symptom,
        Kind... without) {
      this.bug = bug;
      this.twin = twin;
      this.steps = steps;
      this.plan = plan;
      this.symptom = symptom;
      this.without = without;
    }

    @Override
    public ControllerSimulation simulation(boolean withBug) {
      Code code = withBug ? bug : twin;
      return steps.apply(
          ControllerSimulation.of(process -> process.run(code.apply(process)))
              .prepare(Clouds::prepare)
              .without(without)
              .mostSystematic(SYSTEMATIC)
              .seeds(1, SEEDS));
    }

    @Override
    public String plan() {
      return plan;
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
  void twin_isSilent(Bug bug) {
    Pair.assertTwinIsSilent(bug);
  }

  // ---- the steps of users

  private static ResourceClient<ConfigMap> maps(RESTClient client) {
    return client.resource(ConfigMap.TYPE).inNamespace(Shop.NAMESPACE);
  }

  private interface DataEdit {
    void accept(Map<String, String> data);
  }

  private static Step edit(DataEdit change) {
    return client ->
        maps(client)
            .edit(
                "shop",
                shop ->
                    shop.with(
                        m -> {
                          Map<String, String> data = new TreeMap<>(shop.data());
                          change.accept(data);
                          m.data(data);
                        }));
  }

  private static Step createNamed(String name) {
    return client ->
        maps(client)
            .create(ConfigMap.of(Shop.NAMESPACE, name, map -> map.data(Map.of("size", "large"))));
  }

  private static Step token(String value) {
    return client ->
        client
            .resource(Secret.TYPE)
            .inNamespace(Shop.NAMESPACE)
            .create(labelled("token", Map.of("value", value)));
  }

  private static Step changeToken(String value) {
    return client ->
        client
            .resource(Secret.TYPE)
            .inNamespace(Shop.NAMESPACE)
            .edit(
                "token",
                token -> token.with(t -> t.editMetadata(m -> m.labels(Map.of("value", value)))));
  }

  private static void announce(RESTClient client) throws InterruptedException {
    maps(client)
        .edit(
            "shop",
            shop -> shop.with(s -> s.editMetadata(m -> m.annotations(Map.of("news", "sale")))));
  }

  // ---- the controllers

  /** Looks after one shop. */
  private interface Work {
    Result work(ConfigMap shop, Context context) throws Exception;
  }

  private static Reconciler each(Work work) {
    return (request, context) -> {
      Optional<ConfigMap> shop = shops(context).find(request);
      return shop.isPresent() && request.namespace().equals(Shop.NAMESPACE)
          ? work.work(shop.get(), context)
          : Result.done();
    };
  }

  private static Controller shopsOnly(Work work) {
    return Controller.builder(each(work)).forKind(ConfigMap.TYPE).build();
  }

  private static Controller owning(Work work) {
    return reconciling(each(work));
  }

  private static Controller reconciling(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build();
  }

  private static Controller followingTokens(Work work) {
    return Controller.builder(each(work))
        .forKind(ConfigMap.TYPE)
        .owns(Secret.TYPE)
        .watches(
            Secret.TYPE,
            secret ->
                String.valueOf(secret.metadata().name()).equals("token")
                    ? List.of(Request.of(Shop.OBJECT_NAME))
                    : List.of())
        .build();
  }

  private static Controller announcing(Predicate<ConfigMap> predicate) {
    return Controller.builder(
            each(
                (shop, context) ->
                    own(
                        shop,
                        context,
                        labelled("shop-news", new TreeMap<>(shop.metadata().annotations())))))
        .forKind(ConfigMap.TYPE, predicate)
        .owns(Secret.TYPE)
        .build();
  }

  private static Controller finalizing(
      ObjectReconciler<ConfigMap> cleanup, ObjectReconciler<ConfigMap> live) {
    FinalizerSet<ConfigMap> set = FinalizerSet.of(ConfigMap.TYPE, "example.com/cloud", cleanup);
    return reconciling(
        (request, context) ->
            request.namespace().equals(Shop.NAMESPACE)
                ? set.reconcile(request, context, live)
                : Result.done());
  }

  // ---- their parts

  private static Secret labelled(String name, Map<String, String> labels) {
    return Secret.of(Shop.NAMESPACE, name, s -> s.editMetadata(m -> m.labels(labels)));
  }

  private static Result own(ConfigMap shop, Context context, Secret child)
      throws InterruptedException {
    secrets(context).apply(OwnerReferences.setController(child, shop));
    return Result.done();
  }

  private static Result keep(ConfigMap shop, Context context, String name)
      throws InterruptedException {
    return own(shop, context, Shop.secret(shop, name));
  }

  private static Result sized(ConfigMap shop, Context context, String size)
      throws InterruptedException {
    return own(shop, context, labelled("shop-password", Map.of("size", size)));
  }

  private static Result labels(ConfigMap shop, Context context, boolean merges)
      throws InterruptedException {
    Secret wanted = OwnerReferences.setController(labelled("shop-password", shop.data()), shop);
    secrets(context)
        .createOrUpdate(
            wanted,
            now -> {
              Map<String, String> labels =
                  new TreeMap<>(merges ? now.metadata().labels() : Map.of());
              labels.putAll(shop.data());
              return now.with(s -> s.editMetadata(m -> m.labels(labels)));
            });
    return Result.done();
  }

  private static Controller appliedInMemory() {
    Map<String, String> applied = new HashMap<>();
    return owning(
        (shop, context) -> {
          if (!Shop.size(shop).equals(applied.put(shop.metadata().name(), Shop.size(shop)))) {
            keep(shop, context, "shop-password");
          }
          return Result.done();
        });
  }

  private static Result tidyUpByName(ConfigMap shop, Context context) throws InterruptedException {
    if (!shop.metadata().isBeingDeleted()) {
      return keepWithFinalizer(shop, context);
    }
    secrets(context).deleteIfExists("shop-password");
    return removeFinalizer(shop, context);
  }

  private static Result tidyUpByUid(ConfigMap shop, Context context) throws InterruptedException {
    if (!shop.metadata().isBeingDeleted()) {
      return keepWithFinalizer(shop, context);
    }
    for (Secret secret : secrets(context).ownedBy(shop)) {
      secrets(context).delete(secret);
    }
    return removeFinalizer(shop, context);
  }

  private static Result keepWithFinalizer(ConfigMap shop, Context context)
      throws InterruptedException {
    if (!Finalizers.contains(shop, "example.com/shop")) {
      shops(context).update(Finalizers.add(shop, "example.com/shop"));
    }
    if (secrets(context).find("shop-password").isEmpty()) {
      secrets(context).create(Shop.secret(shop, "shop-password"));
    }
    return Result.done();
  }

  private static Result removeFinalizer(ConfigMap shop, Context context)
      throws InterruptedException {
    shops(context).update(Finalizers.remove(shop, "example.com/shop"));
    return Result.done();
  }

  /** The size cannot be changed, so the secret is made again. */
  private static Result replace(ConfigMap shop, Context context, boolean onlyGrows)
      throws InterruptedException {
    Optional<Secret> now = secrets(context).uncached().find("shop-password");
    if (now.isPresent()) {
      int more = Shop.size(shop).compareTo(Shop.size(now.get()));
      if (onlyGrows ? more <= 0 : more == 0) {
        return Result.done();
      }
      secrets(context).delete(now.get());
    }
    secrets(context).create(Shop.secret(shop, "shop-password"));
    return Result.done();
  }

  private static Result look(
      SimulatedProcess process, ConfigMap shop, Context context, boolean eachTime)
      throws InterruptedException {
    if (eachTime || !shop.data().containsKey("seen")) {
      shops(context)
          .edit(shop, now -> Shop.withNote(now, "seen", process.clock().now().toString()));
    }
    return Result.done();
  }

  private static Controller registeredInMemory() {
    Set<String> registered = new HashSet<>();
    return reconciling(
        (request, context) -> {
          Optional<ConfigMap> shop = shops(context).find(request);
          if (!request.namespace().equals(Shop.NAMESPACE)) {
            return Result.done();
          } else if (shop.isPresent()) {
            Clouds.register(shop.get(), context);
            registered.add(request.name());
          } else if (registered.contains(request.name())) {
            Clouds.forget(context, "shop");
            registered.remove(request.name());
          }
          return Result.done();
        });
  }

  private static Result parts(ConfigMap shop, Context context, boolean deletes)
      throws InterruptedException {
    keep(shop, context, "shop-password");
    if (Shop.size(shop).equals("large")) {
      return keep(shop, context, "shop-extra");
    }
    if (deletes) {
      secrets(context).deleteIfExists("shop-extra");
    }
    return Result.done();
  }

  private static Result password(
      SimulatedProcess process, ConfigMap shop, Context context, boolean readsIt)
      throws InterruptedException {
    String random = Long.toHexString(process.random().nextLong());
    String password =
        secrets(context)
            .find("shop-password")
            .filter(known -> readsIt)
            .map(known -> known.metadata().labels().get("password"))
            .orElse(random);
    return own(shop, context, labelled("shop-password", Map.of("password", password)));
  }

  private static Optional<String> token(Context context) throws InterruptedException {
    return secrets(context).find("token").map(token -> token.metadata().labels().get("value"));
  }

  private static Result copyToken(ConfigMap shop, Context context) throws InterruptedException {
    return own(
        shop, context, labelled("shop-server", Map.of("token", token(context).orElse("none"))));
  }

  private static Result reportToken(ConfigMap shop, Context context, boolean clears)
      throws InterruptedException {
    if (token(context).isEmpty()) {
      shops(context).edit(shop, now -> Shop.withNote(now, "problem", "no token"));
    } else if (clears) {
      shops(context).edit(shop, now -> now.with(m -> m.editData(data -> data.remove("problem"))));
    }
    return Result.done();
  }

  private static Result shareOfTheFirst(ConfigMap shop, Context context)
      throws InterruptedException {
    if (secrets(context).find("shared").isEmpty()) {
      secrets(context).create(OwnerReferences.setController(labelled("shared", Map.of()), shop));
    }
    return Result.done();
  }

  /** What all shops share belongs to none of them, and goes with the last. */
  private static Controller sharing() {
    return Controller.builder(
            (request, context) -> {
              if (!shops(context).list().isEmpty()) {
                secrets(context).apply(labelled("shared", Map.of("for", "all")));
              } else if (shops(context).uncached().list().items().isEmpty()) {
                secrets(context).deleteIfExists("shared");
              }
              return Result.done();
            })
        .forKind(ConfigMap.TYPE)
        .watches(Secret.TYPE, secret -> List.of(Request.of(Shop.OBJECT_NAME)))
        .build();
  }

  private static Result ownFinalizer(ConfigMap shop, Context context, boolean onlyItsOwn)
      throws InterruptedException {
    if (!shop.metadata().isBeingDeleted()) {
      return keepWithFinalizer(shop, context);
    }
    secrets(context).deleteIfExists("shop-password");
    if (onlyItsOwn) {
      return removeFinalizer(shop, context);
    }
    shops(context).update(shop.with(s -> s.editMetadata(m -> m.finalizers(List.of()))));
    return Result.done();
  }

  /** Another controller keeps a backup of the shop, and takes a minute to delete it. */
  private static ControllerSetup backups() {
    return process ->
        process.run(
            shopsOnly(
                (shop, context) -> {
                  if (!shop.metadata().isBeingDeleted()) {
                    shops(context).edit(shop, now -> Finalizers.add(now, "example.com/backup"));
                    Clouds.note(context, "backup", "kept");
                  } else if (Finalizers.contains(shop, "example.com/backup")) {
                    process.clock().sleep(Duration.ofSeconds(1));
                    if (shops(context).uncached().find("shop").isEmpty()) {
                      return Result.done();
                    }
                    Clouds.forget(context, "backup");
                    shops(context).edit(shop, now -> Finalizers.remove(now, "example.com/backup"));
                  }
                  return Result.done();
                }));
  }

  private static Result take(ConfigMap shop, Context context, String name)
      throws InterruptedException {
    Secret mine = Shop.secret(shop, name);
    secrets(context)
        .createOrUpdate(
            mine,
            now ->
                now.with(
                    s ->
                        s.editMetadata(
                            m ->
                                m.labels(mine.metadata().labels())
                                    .ownerReferences(mine.metadata().ownerReferences()))));
    return Result.done();
  }

  private static Result createAndNote(ConfigMap shop, Context context, boolean looks)
      throws InterruptedException {
    boolean exists = secrets(context).find("shop-password").isPresent();
    if (exists && shop.data().containsKey("made")) {
      return Result.done();
    }
    if (!looks || !exists) {
      secrets(context).create(Shop.secret(shop, "shop-password"));
    }
    shops(context).edit(shop, now -> Shop.withNote(now, "made", "yes"));
    return Result.done();
  }

  private static Result createUnderNewName(ConfigMap shop, Context context)
      throws InterruptedException {
    String name = shop.data().get("made");
    if (name == null || secrets(context).find(name).isEmpty()) {
      Secret made = secrets(context).create(Shop.secretWithGeneratedName(shop));
      shops(context)
          .edit(shop, now -> Shop.withNote(now, "made", String.valueOf(made.metadata().name())));
    }
    return Result.done();
  }

  /** Follows the secrets in another namespace too. */
  private static Controller abroad(ObjectReconciler<ConfigMap> live) {
    FinalizerSet<ConfigMap> set =
        FinalizerSet.of(
            ConfigMap.TYPE,
            "example.com/copy",
            (shop, context) -> {
              copies(context).deleteIfExists("copy");
              return Result.done();
            });
    return Controller.builder(
            (request, context) ->
                request.namespace().equals(Shop.NAMESPACE)
                    ? set.reconcile(request, context, live)
                    : Result.done())
        .forKind(ConfigMap.TYPE)
        .watches(Secret.TYPE, secret -> List.of(Request.of(Shop.OBJECT_NAME)))
        .build();
  }

  private static CachedResource<Secret> copies(Context context) {
    return context.client().resource(Secret.TYPE).inNamespace("kube-public");
  }

  private static Result copyAbroad(ConfigMap shop, Context context, boolean owns)
      throws InterruptedException {
    Secret copy = Secret.of("kube-public", "copy", s -> s.editMetadata(m -> m.labels(shop.data())));
    copies(context)
        .apply(
            owns
                ? copy.with(
                    s ->
                        s.editMetadata(
                            m -> m.ownerReferences(List.of(OwnerReferences.newOwnerRef(shop)))))
                : copy);
    return Result.done();
  }

  /** An account with a cloud, which no owner reference reaches. */
  private static final class Clouds {

    private static final String NAMESPACE = "kube-public";

    static void prepare(RESTClient client) throws InterruptedException {
      client.resource(ConfigMap.TYPE).create(ConfigMap.of(NAMESPACE, "cloud", map -> {}));
    }

    private static CachedResource<ConfigMap> accounts(Context context) {
      return context.client().resource(ConfigMap.TYPE).inNamespace(NAMESPACE);
    }

    static Result note(Context context, String key, String value) throws InterruptedException {
      accounts(context).edit("cloud", cloud -> Shop.withNote(cloud, key, value));
      return Result.done();
    }

    static Result forget(Context context, String key) throws InterruptedException {
      accounts(context)
          .edit("cloud", cloud -> cloud.with(c -> c.editData(data -> data.remove(key))));
      return Result.done();
    }

    static Result register(ConfigMap shop, Context context) throws InterruptedException {
      return note(context, "shop", "registered");
    }

    static Result unregister(ConfigMap shop, Context context) throws InterruptedException {
      return forget(context, "shop");
    }

    static Result createZone(ConfigMap shop, Context context) throws InterruptedException {
      if (accounts(context).uncached().find("zone").isEmpty()) {
        accounts(context).create(ConfigMap.of(NAMESPACE, "zone", map -> {}));
      }
      return Result.done();
    }

    static Result deleteZone(ConfigMap shop, Context context) throws InterruptedException {
      accounts(context).delete("zone");
      return Result.done();
    }

    static Result deleteZoneIfExists(ConfigMap shop, Context context) throws InterruptedException {
      accounts(context).deleteIfExists("zone");
      return Result.done();
    }
  }
}
