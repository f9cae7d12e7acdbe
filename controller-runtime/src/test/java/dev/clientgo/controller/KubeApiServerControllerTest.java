package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.rbac.v1.Role;
import dev.clientgo.kubernetes.rbac.v1.RoleBinding;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import dev.clientgo.testing.Eventually;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Controllers and managers on the real kube-apiserver, with its permissions. */
@ApiServerTest(server = ApiServerTest.Server.REAL)
final class KubeApiServerControllerTest extends ManagerContract {

  private static RESTClient user(KubeApiServer server, String name) {
    return RESTClient.create(KubeConfig.parse(server.kubeconfig(name, List.of())).restConfig());
  }

  @Test
  void watch_thatIsForbidden_failsTheManagerAndNamesTheVerbs(
      KubeApiServer server, @TestNamespace String namespace) throws Exception {
    FakeClock clock = FakeClock.create();
    try (RESTClient client = user(server, "stranger");
        Manager manager =
            Manager.builder(client)
                .clock(clock)
                .informers(factory -> factory.namespace(namespace))
                .build()) {
      LateCache.await(
          Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build(),
          manager,
          clock);

      assertThatThrownBy(manager::awaitEnd)
          .isInstanceOf(CacheSyncException.class)
          .hasMessageContaining("configmaps")
          .hasMessageContaining("list")
          .hasMessageContaining("watch");
    }
  }

  @Test
  void watch_thatIsGrantedLater_startsTheController(
      KubeApiServer server, RESTClient admin, @TestNamespace String namespace) throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    try (RESTClient client = user(server, "newcomer");
        Manager manager =
            Manager.builder(client).informers(factory -> factory.namespace(namespace)).build()) {
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());
      manager.start();
      Eventually.await(
          "a refusal",
          () ->
              manager.informerHealth().values().stream()
                  .anyMatch(health -> health.lastError().isPresent()));

      grant(admin, namespace, "newcomer");
      admin
          .resource(ConfigMap.TYPE)
          .inNamespace(namespace)
          .create(ConfigMap.of(namespace, "x", c -> c.data(Map.of("a", "1"))));

      reconciler.awaitCall(new Request(namespace, "x"));
      assertThat(manager.awaitReady(LIMIT)).isTrue();
    }
  }

  private static void grant(RESTClient admin, String namespace, String user)
      throws InterruptedException {
    admin
        .resource(Role.TYPE)
        .create(
            Role.of(
                namespace,
                "reader",
                role ->
                    role.addRules(
                        rule ->
                            rule.apiGroups(List.of(""))
                                .resources(List.of("configmaps"))
                                .verbs(List.of("get", "list", "watch")))));
    admin
        .resource(RoleBinding.TYPE)
        .create(
            RoleBinding.of(
                namespace,
                "reader",
                binding ->
                    binding
                        .editRoleRef(
                            ref ->
                                ref.apiGroup("rbac.authorization.k8s.io")
                                    .kind("Role")
                                    .name("reader"))
                        .addSubjects(
                            subject ->
                                subject
                                    .apiGroup("rbac.authorization.k8s.io")
                                    .kind("User")
                                    .name(user))));
  }
}
