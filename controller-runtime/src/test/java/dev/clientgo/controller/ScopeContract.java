package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.rbac.v1.Role;
import dev.clientgo.kubernetes.rbac.v1.RoleBinding;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A manager with a limited scope: the objects that it sees, the requests that it sends, and the
 * permissions that it needs. Its user has Roles in some namespaces, and no others.
 */
abstract class ScopeContract {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Scope LABELLED = Scope.all().withLabels("managed=yes");
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/]+)");

  private final String prefix = "scope-" + NAMES.incrementAndGet();
  private final String a = prefix + "-a";
  private final String b = prefix + "-b";
  private final String c = prefix + "-c";

  /** The namespaces of all requests of the operator; empty for a request without one. */
  private final Set<String> requested = ConcurrentHashMap.newKeySet();

  private RESTClient admin;
  private RESTClient user;
  private RESTClient operator;

  abstract ApiServer server();

  @BeforeEach
  void start() throws InterruptedException {
    admin = RESTClient.create(server().restConfig());
    user = RESTClient.create(server().restConfig("operator-" + prefix, List.of()));
    operator =
        user.guardedBy(
            (method, path) -> {
              Matcher namespace = NAMESPACE.matcher(path);
              requested.add(namespace.find() ? namespace.group(1) : "");
            });
    for (String name : List.of(a, b, c)) {
      admin.resource(Namespace.TYPE).create(Namespace.of(name, n -> {}));
    }
    grant(a);
    grant(b);
  }

  @AfterEach
  void stop() {
    user.close();
    admin.close();
  }

  private void grant(String namespace) throws InterruptedException {
    admin
        .resource(Role.TYPE)
        .create(
            Role.of(
                namespace,
                "operator",
                role ->
                    role.addRules(
                        rule ->
                            rule.apiGroups(List.of(""))
                                .resources(List.of("configmaps", "secrets"))
                                .verbs(List.of("*")))));
    admin
        .resource(RoleBinding.TYPE)
        .create(
            RoleBinding.of(
                namespace,
                "operator",
                binding ->
                    binding
                        .editRoleRef(
                            ref ->
                                ref.apiGroup("rbac.authorization.k8s.io")
                                    .kind("Role")
                                    .name("operator"))
                        .addSubjects(
                            subject ->
                                subject
                                    .apiGroup("rbac.authorization.k8s.io")
                                    .kind("User")
                                    .name("operator-" + prefix))));
  }

  private ManagerBuilder manager() {
    return Manager.builder(operator)
        .reportFieldFights(false)
        .inNamespaces(a, b)
        .scope(Secret.TYPE, LABELLED);
  }

  private static Controller forMaps(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE).build();
  }

  private ConfigMap map(String namespace, String name) throws InterruptedException {
    return admin.resource(ConfigMap.TYPE).create(ConfigMap.of(namespace, name, x -> {}));
  }

  private Secret secret(String namespace, String name, String managed) throws InterruptedException {
    return admin
        .resource(Secret.TYPE)
        .create(
            Secret.of(
                namespace, name, s -> s.editMetadata(m -> m.labels(Map.of("managed", managed)))));
  }

  private static List<String> names(List<Secret> secrets) {
    return secrets.stream().map(each -> each.metadata().name()).sorted().toList();
  }

  @Test
  void twoNamespacesAndLabelledSecrets_seeAndRequestNothingElse() throws Exception {
    secret(a, "s1", "yes");
    secret(a, "s2", "no");
    secret(b, "s3", "yes");
    secret(c, "s4", "yes");
    map(c, "outside");
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = manager().build()) {
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      map(a, "x");
      reconciler.awaitCall(new Request(a, "x"));
      map(b, "y");
      reconciler.awaitCall(new Request(b, "y"));
      CachedResource<Secret> secrets = manager.client().resource(Secret.TYPE);

      assertThat(names(secrets.list())).containsExactly("s1", "s3");
      assertThat(names(secrets.inNamespace(a).list())).containsExactly("s1");
      assertThat(names(secrets.view().list(Selector.parse("managed=yes")))).hasSize(2);
      assertThat(secrets.view().resourceVersion()).isNotEmpty();
      assertThat(secrets.inNamespace(a).find("s2")).isEmpty();
      assertThatThrownBy(() -> secrets.inNamespace(c).find("s4"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(a + ", " + b)
          .hasMessageContaining(c);
      assertThatThrownBy(() -> secrets.list(Selector.parse("managed=no")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("managed=yes");

      Secret own =
          secrets
              .inNamespace(b)
              .create(
                  Secret.of(
                      b, "own", s -> s.editMetadata(m -> m.labels(Map.of("managed", "yes")))));
      assertThat(names(secrets.list())).containsExactly("own", "s1", "s3");
      secrets
          .inNamespace(b)
          .update(own.with(s -> s.editMetadata(m -> m.labels(Map.of("managed", "no")))));
      assertThat(names(secrets.list())).containsExactly("s1", "s3");
      assertThat(manager.informerHealth()).hasSize(4);
    }
    assertThat(reconciler.drain()).noneMatch(call -> call.request().namespace().equals(c));
    assertThat(requested).containsExactlyInAnyOrder(a, b);
  }

  @Test
  void namespace_addedAndRemovedWhileRunning_isReconciledAndLeavesWithoutADeletion()
      throws Exception {
    map(a, "x");
    map(c, "z");
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = manager().build()) {
      Controller controller = forMaps(reconciler);
      manager.add(controller);
      manager.start();
      reconciler.awaitCall(new Request(a, "x"));
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      assertThat(maps.list()).noneMatch(each -> each.metadata().namespace().equals(c));

      grant(c);
      assertThat(manager.addNamespace(c)).isTrue();
      assertThat(manager.addNamespace(c)).isFalse();
      reconciler.awaitCall(new Request(c, "z"));
      assertThat(maps.inNamespace(c).find("z")).isPresent();
      assertThat(maps.list()).anyMatch(each -> each.metadata().namespace().equals(c));

      assertThat(manager.removeNamespace(c)).isTrue();
      assertThat(manager.removeNamespace(c)).isFalse();
      assertThat(maps.list()).noneMatch(each -> each.metadata().namespace().equals(c));
      assertThatThrownBy(() -> maps.inNamespace(c).find("z"))
          .isInstanceOf(IllegalArgumentException.class);
      reconciler.drain();
      controller.enqueue(new Request(c, "z"));
      map(a, "later");
      reconciler.awaitCall(new Request(a, "later"));
      assertThat(reconciler.drain()).noneMatch(call -> call.request().namespace().equals(c));
      assertThat(manager.informerHealth().keySet()).noneMatch(name -> name.contains(c));

      manager.addNamespace(c);
      reconciler.awaitCall(new Request(c, "z"));
    }
  }

  @Test
  void namespace_removedInTheMiddleOfAReconcile_failsItsReadsAndDropsItsRequest() throws Exception {
    map(b, "y");
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch removed = new CountDownLatch(1);
    AtomicReference<Throwable> error = new AtomicReference<>();
    AtomicInteger calls = new AtomicInteger();
    Reconciler reconciler =
        (request, context) -> {
          calls.incrementAndGet();
          started.countDown();
          assertThat(removed.await(1, TimeUnit.MINUTES)).isTrue();
          try {
            context.client().resource(ConfigMap.TYPE).find(request);
          } catch (IllegalArgumentException e) {
            error.set(e);
            throw e;
          }
          return Result.done();
        };
    try (Manager manager = manager().build()) {
      manager.add(forMaps(reconciler));
      manager.start();
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();

      manager.removeNamespace(b);
      removed.countDown();

      Eventually.await("the error", () -> error.get() != null);
      assertThat(error.get()).hasMessageContaining(b);
      manager.addNamespace(c);
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  void namespace_thatIsForbidden_isNamedAndHoldsUpNoOther() throws Exception {
    map(a, "x");
    map(c, "z");
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = manager().inNamespaces(a, c).build()) {
      Controller controller = forMaps(reconciler);
      manager.add(controller);
      manager.start();

      reconciler.awaitCall(new Request(a, "x"));
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      assertThat(controller.problem(/* alsoFunctions= */ false)).isEmpty();
      assertThat(controller.problem(/* alsoFunctions= */ true).orElseThrow())
          .contains("forbidden")
          .contains("grant the verbs list and watch")
          .contains("in the namespace " + c)
          .doesNotContain("in the namespace " + a);
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      assertThat(maps.inNamespace(a).find("x")).isPresent();
      assertThatThrownBy(maps::list)
          .isInstanceOf(CacheSyncException.class)
          .hasMessageContaining("in the namespace " + c);

      grant(c);
      reconciler.awaitCall(new Request(c, "z"));
      Eventually.await("all parts", () -> controller.problem(true).isEmpty());
    }
  }

  /** The scopes of two controllers share the part that they have in common. */
  @Test
  void controllers_withDifferentScopesOfAKind_readTheirOwn() throws Exception {
    secret(a, "s1", "yes");
    secret(a, "s2", "no");
    List<List<String>> seen = new ArrayList<>();
    CountDownLatch both = new CountDownLatch(2);
    Reconciler reconciler =
        (request, context) -> {
          synchronized (seen) {
            seen.add(names(context.view(Secret.TYPE).list()));
          }
          both.countDown();
          return Result.done();
        };
    map(a, "x");
    try (Manager manager = manager().inNamespaces(a).build()) {
      Scope other = Scope.all().withLabels("managed=no");
      manager.add(
          Controller.builder(reconciler).forKind(ConfigMap.TYPE).scope(Secret.TYPE, other).build());
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE)
              .named("both")
              .scope(Secret.TYPE, Scope.all().withLabels("managed in (yes,no)"))
              .build());
      manager.start();
      assertThat(both.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(manager.informerHealth().keySet())
          .filteredOn(name -> name.contains("secrets"))
          .hasSize(2);
    }
    assertThat(seen)
        .contains(List.of("s2"), List.of("s1", "s2"))
        .allMatch(names -> names.contains("s2"));
  }

  @Test
  void readOfAKindThatNothingWatches_isRefused() throws Exception {
    try (Manager manager = manager().failOnUnwatched().build()) {
      manager.add(forMaps(new RecordingReconciler()));
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      map(a, "x");

      assertThatThrownBy(() -> manager.client().resource(Secret.TYPE).list())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("secrets")
          .hasMessageContaining("watches(Secret.TYPE")
          .hasMessageContaining("uncached()");
      assertThat(manager.client().resource(ConfigMap.TYPE).list()).isNotNull();
      manager.client().resource(Secret.TYPE).inNamespace(a).deleteIfExists("none");
      assertThat(manager.informerHealth().keySet()).noneMatch(name -> name.contains("secrets"));
    }
  }

  @Test
  void ownedBy_isAnsweredByTheCache() throws Exception {
    ConfigMap owner = map(a, "owner");
    ConfigMap other = map(b, "owner");
    try (Manager manager = manager().build()) {
      manager.start();
      CachedResource<Secret> secrets = manager.client().resource(Secret.TYPE);
      assertThat(secrets.ownedBy(owner)).isEmpty();
      for (String name : List.of("s1", "s2")) {
        secrets
            .inNamespace(a)
            .create(
                OwnerReferences.setController(
                    Secret.of(
                        a, name, s -> s.editMetadata(m -> m.labels(Map.of("managed", "yes")))),
                    owner));
      }
      assertThat(names(secrets.ownedBy(owner))).containsExactly("s1", "s2");
      assertThat(secrets.ownedBy(other)).isEmpty();
      assertThat(secrets.inNamespace(b).ownedBy(owner)).isEmpty();
    }
  }

  /** A server that forbids the read of a mapping delays its event, and loses nothing. */
  @Test
  void mapping_whoseReadIsForbidden_isCalledAgain() throws Exception {
    map(a, "x");
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = manager().build()) {
      Controller controller =
          Controller.builder(reconciler)
              .named("mapping")
              .watches(
                  ConfigMap.TYPE,
                  (map, client) -> {
                    client.uncached().resource(Namespace.TYPE).get(a);
                    return List.of(Request.of(map));
                  })
              .build();
      manager.add(controller);
      manager.start();
      Eventually.await(
          "the failure",
          () ->
              controller
                  .problem(/* alsoFunctions= */ true)
                  .filter(text -> text.contains("The mapping of configmaps has failed"))
                  .filter(text -> text.contains("forbidden"))
                  .isPresent());
      assertThat(reconciler.drain()).isEmpty();

      grantNamespaces();
      reconciler.awaitCall(new Request(a, "x"));
      Eventually.await("health", () -> controller.problem(true).isEmpty());
    }
  }

  private void grantNamespaces() throws InterruptedException {
    var rules = admin.resource(Role.TYPE).inNamespace(a).get("operator");
    admin
        .resource(Role.TYPE)
        .update(
            rules.with(
                role ->
                    role.addRules(
                        rule ->
                            rule.apiGroups(List.of(""))
                                .resources(List.of("namespaces"))
                                .verbs(List.of("get")))));
  }
}
