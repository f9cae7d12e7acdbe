package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The least roles of a user, found by what it does. */
@Timeout(300)
@ApiServerTest(server = ApiServerTest.Server.EMBEDDED, reset = true)
final class PermissionsTest {

  private static final String ROLE =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata:
        name: reader
      rules:
      - apiGroups: [""]
        resources: [configmaps]
        verbs: [get, list, delete]
      - apiGroups: [apps]
        resources: [deployments, statefulsets]
        verbs: [list]
      - nonResourceURLs: [/metrics]
        verbs: [get]
      """;
  private static final GroupVersionResource MAPS = new GroupVersionResource("", "v1", "configmaps");

  private EmbeddedApiServer server;
  private TestClient api;

  @BeforeEach
  void start(EmbeddedApiServer shared) {
    server = shared;
    api = TestClient.of(shared);
  }

  @AfterEach
  void stop() {
    api.close();
    server.reset(); // Other classes share it.
  }

  private void send(String method, String path, String body) {
    api.send(
        method,
        path,
        body.isEmpty() ? null : body,
        "Impersonate-User",
        "robot",
        "Impersonate-Group",
        "system:masters");
  }

  private Permissions robot() {
    return server.permissions(server.restConfig("robot", List.of("system:masters")));
  }

  @Test
  void needed_isTheLeastClusterRoleAndRoles() {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    send("POST", leases, "{'metadata':{'name':'mine'}}");
    send("GET", leases + "/mine", "");
    send("PUT", leases + "/mine", "{'metadata':{'name':'mine'}}");
    send("GET", "/api/v1/namespaces/default/secrets/a", "");
    send("GET", "/api/v1/namespaces/default/secrets/b", "");
    send("GET", "/apis/apps/v1/deployments", "");
    send("GET", "/apis/apps/v1/statefulsets", "");
    send("GET", "/apis/apps/v1/namespaces/default/deployments", "");
    send("GET", "/api/v1/nodes/n", "");
    send("GET", "/metrics", "");
    send("GET", "/apis", "");
    send("GET", "/version", "");
    try (Events watch =
        api.watch(
            "/api/v1/pods?watch=true",
            "Impersonate-User",
            "robot",
            "Impersonate-Group",
            "system:masters")) {
      assertThat(watch.code()).isEqualTo(200);
    }

    assertThat(robot().needed("robot"))
        .isEqualTo(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: robot
            rules:
            - apiGroups:
              - ""
              resources:
              - nodes
              verbs:
              - get
            - apiGroups:
              - ""
              resources:
              - pods
              verbs:
              - list
              - watch
            - apiGroups:
              - apps
              resources:
              - deployments
              - statefulsets
              verbs:
              - list
            - nonResourceURLs:
              - /metrics
              verbs:
              - get
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: robot
              namespace: default
            rules:
            - apiGroups:
              - ""
              resources:
              - secrets
              verbs:
              - get
            - apiGroups:
              - coordination.k8s.io
              resources:
              - leases
              verbs:
              - create
            - apiGroups:
              - coordination.k8s.io
              resourceNames:
              - mine
              resources:
              - leases
              verbs:
              - get
              - update
            """);
    assertThat(robot().anywhere("default").needed("robot"))
        .contains("leases")
        .doesNotContain("kind: Role\n", "resourceNames");
    assertThat(Unstructured.parseYaml(robot().needed("robot"))).hasSize(2);

    robot().clear();
    assertThat(robot().needed("robot")).isEmpty();
  }

  private static Path file(Path folder, String text) throws Exception {
    return Files.writeString(folder.resolve("rbac.yaml"), text);
  }

  @Test
  void enforce_permitsWhatTheRoleDoes_andNamesWhatIsMissing(@TempDir Path folder) throws Exception {
    RestConfig config = server.enforce(file(folder, ROLE));
    try (RESTClient client = RESTClient.create(config)) {
      assertThat(client.dynamic(MAPS).list().items()).isEmpty();
      server.permissions(config).assertSufficient();
      assertThat(server.permissions(config).missing()).isEmpty();

      assertThatThrownBy(() -> client.dynamic(MAPS).inNamespace("default").create(map()))
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isForbidden()).isTrue());
    }
    assertThatThrownBy(() -> server.permissions(config).anywhere("default").assertSufficient())
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            enforced lacks permissions; these rules permit what was refused:
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: missing
            rules:
            - apiGroups:
              - ""
              resources:
              - configmaps
              verbs:
              - create
            refused:
              create configmaps default/""");
  }

  private static Unstructured map() {
    return Unstructured.parse(
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}");
  }

  @Test
  void unused_listsWhatIsGrantedInVain(@TempDir Path folder) throws Exception {
    RestConfig config = server.enforce(file(folder, ROLE));
    try (RESTClient client = RESTClient.create(config)) {
      client.dynamic(MAPS).list();
      client.dynamic(new GroupVersionResource("apps", "v1", "deployments")).list();
    }

    assertThat(server.permissions(config).unused())
        .isEqualTo(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: reader
            rules:
            - apiGroups:
              - ""
              resources:
              - configmaps
              verbs:
              - get
              - delete
            - apiGroups:
              - apps
              resources:
              - statefulsets
              verbs:
              - list
            - nonResourceURLs:
              - /metrics
              verbs:
              - get
            """);
  }

  @Test
  void needed_suffices(@TempDir Path folder) throws Exception {
    send("POST", "/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'a'}}");
    send("GET", "/api/v1/namespaces/default/configmaps/a", "");
    RestConfig config = server.enforce(file(folder, robot().needed("robot")));

    try (RESTClient client = RESTClient.create(config)) {
      assertThat(client.dynamic(MAPS).inNamespace("default").get("a")).isNotNull();
      assertThatThrownBy(() -> client.dynamic(MAPS).inNamespace("default").get("b"))
          .hasMessageContaining("forbidden");
    }
    assertThat(server.permissions(config).unused()).contains("create").doesNotContain("get");
  }

  @Test
  void enforce_takesTheSubjectOfTheBindings(@TempDir Path folder) throws Exception {
    String binding =
        """
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: reader}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
        subjects:
        - {kind: ServiceAccount, name: robot, namespace: fresh}
        """;
    RestConfig config = server.enforce(file(folder, ROLE + binding));

    assertThat(config.impersonate().userName()).isEqualTo("system:serviceaccount:fresh:robot");
    try (RESTClient client = RESTClient.create(config)) {
      assertThat(client.dynamic(MAPS).list().items()).isEmpty();
    }
    assertThat(server.sent().byUser("system:serviceaccount:fresh:robot").summaries())
        .containsExactly("list configmaps");
    assertThatThrownBy(
            () -> server.enforce(file(folder, ROLE + binding + "- {kind: User, name: x}\n")))
        .hasMessageContaining("have 2 subjects");
    assertThatThrownBy(() -> server.enforce(file(folder, "kind: ConfigMap\napiVersion: v1\n")))
        .hasMessageContaining("no Role");
  }

  /** A request without a user is not of {@code system:authenticated}, which may discover. */
  @Test
  void missing_ofAnAnonymousUser_hasTheDiscoveryThatWasRefused() {
    assertThat(api.get("/apis", "Impersonate-User", "system:anonymous").code()).isEqualTo(403);

    RestConfig stranger = server.restConfig("system:anonymous", List.of());
    assertThat(server.permissions(stranger).missing()).contains("/apis");
  }

  /** A service account has the roles of the groups of service accounts. */
  @Test
  void unused_ofAServiceAccount_knowsTheRolesOfItsGroups(@TempDir Path folder) throws Exception {
    String role =
        ROLE
            + """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: of-accounts}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:serviceaccounts:shop"}]
            """
                .formatted(Unstructured.parseYaml(ROLE).get(0).metadata().name());
    server.enforce(file(folder, role));
    String account = "system:serviceaccount:shop:robot";
    assertThat(api.get("/api/v1/configmaps", "Impersonate-User", account).code()).isEqualTo(200);

    assertThat(server.permissions(server.restConfig(account, List.of())).unused())
        .isEqualTo(
            server
                .permissions(server.restConfig(account, List.of("system:serviceaccounts:shop")))
                .unused())
        .isNotEmpty();
  }
}
