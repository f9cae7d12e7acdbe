package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.FieldValidation;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.discovery.DeferredDiscoveryRESTMapper;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.MemCacheClient;
import dev.clientgo.rest.discovery.OpenAPIClient;
import dev.clientgo.rest.discovery.ServerResources;
import dev.clientgo.rest.kubeconfig.AuthInfo;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** This library's client against the real server: authentication and the server's own APIs. */
@Timeout(300)
final class KubeApiServerClientTest {

  @TempDir private static Path tokens;

  private static KubeApiServer server;
  private static RESTClient client;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    Path file =
        Files.writeString(
            tokens.resolve("tokens.csv"),
            "token-one,alice,uid-alice,\"system:masters\"\ntoken-two,bob,uid-bob\n");
    server = KubeApiServer.builder().flag("--token-auth-file=" + file).start();
    client = RESTClient.create(admin().build());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  private static RestConfig.Builder admin() {
    return KubeConfig.parse(server.kubeconfig()).restConfig().toBuilder();
  }

  private static RestConfig.Builder anonymous() {
    return admin().build().anonymous().toBuilder();
  }

  /** Returns the user that the server sees. */
  private static Map<?, ?> whoAmI(RESTClient client) throws InterruptedException {
    byte[] review =
        client
            .post()
            .absPath("/apis/authentication.k8s.io/v1/selfsubjectreviews")
            .body(
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"
                    .getBytes(UTF_8),
                "application/json")
            .execute()
            .raw();
    Map<?, ?> status = (Map<?, ?>) ((Map<?, ?>) JsonReader.of(review).nextTree()).get("status");
    return (Map<?, ?>) status.get("userInfo");
  }

  private static Object user(RestConfig config) throws InterruptedException {
    try (RESTClient other = RESTClient.create(config)) {
      return whoAmI(other).get("username");
    }
  }

  private Path write(String name, String text) throws IOException {
    Path temporary = Files.writeString(directory.resolve(name + ".new"), text);
    return Files.move(temporary, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes the certificate of a user to files. */
  private void identity(String name, String... groups) throws IOException {
    AuthInfo user = KubeConfig.parse(server.kubeconfig(name, List.of(groups))).users().get(name);
    write("client.crt", new String(Objects.requireNonNull(user.clientCertificateData()), UTF_8));
    write("client.key", new String(Objects.requireNonNull(user.clientKeyData()), UTF_8));
  }

  private String authority() {
    byte[] pem =
        KubeConfig.parse(server.kubeconfig())
            .clusters()
            .values()
            .iterator()
            .next()
            .certificateAuthorityData();
    return new String(Objects.requireNonNull(pem), UTF_8);
  }

  /* --------------- Authentication --------------- */

  @Test
  void certificate_authenticatesUserAndGroups() throws Exception {
    String kubeconfig = server.kubeconfig("carol", List.of("team"));
    try (RESTClient carol = RESTClient.create(KubeConfig.parse(kubeconfig).restConfig())) {
      assertThat(whoAmI(carol).get("username")).isEqualTo("carol");
      assertThat((List<?>) whoAmI(carol).get("groups")).asString().contains("team");
    }
    identity("dave");
    assertThat(
            user(
                anonymous()
                    .clientCertificate(directory.resolve("client.crt"))
                    .clientKey(directory.resolve("client.key"))
                    .build()))
        .isEqualTo("dave");
  }

  @Test
  void token_authenticates() throws Exception {
    assertThat(user(anonymous().bearerToken("token-one").build())).isEqualTo("alice");
    assertThatThrownBy(() -> user(anonymous().bearerToken("token-none").build()))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isUnauthorized()).isTrue());
  }

  /** The server refuses the token in the file, the file is replaced, and the next call succeeds. */
  @Test
  void tokenFile_replaced_isReadAgain() throws Exception {
    Path file = write("token", "token-expired");
    try (RESTClient other = RESTClient.create(anonymous().bearerTokenFile(file).build())) {
      assertThatThrownBy(() -> whoAmI(other)).isInstanceOf(ApiStatusException.class);
      write("token", "token-two\n");
      assertThat(whoAmI(other).get("username")).isEqualTo("bob");
    }
  }

  /** A kubeconfig with a plugin. */
  @Test
  void plugin_token_authenticates() throws Exception {
    write("answer", answer("\"token\":\"token-expired\""));
    Path kubeconfig =
        write(
            "config",
            """
            current-context: x
            clusters: [{name: c, cluster: {server: "%s", certificate-authority: ca.crt}}]
            users:
            - name: u
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/v1
                  command: cat
                  args: ["%s"]
                  interactiveMode: Never
            contexts: [{name: x, context: {cluster: c, user: u}}]
            """
                .formatted(server.url(), directory.resolve("answer")));
    write("ca.crt", authority());
    RestConfig config = KubeConfigLoader.builder().file(kubeconfig).build().load();
    try (RESTClient other = RESTClient.create(config)) {
      assertThatThrownBy(() -> whoAmI(other)).isInstanceOf(ApiStatusException.class);
      write("answer", answer("\"token\":\"token-two\""));
      assertThat(whoAmI(other).get("username")).isEqualTo("bob");
    }
  }

  @Test
  void plugin_certificate_authenticates() throws Exception {
    identity("erin");
    write(
        "answer",
        answer(
            "\"clientCertificateData\":\""
                + Files.readString(directory.resolve("client.crt")).replace("\n", "\\n")
                + "\",\"clientKeyData\":\""
                + Files.readString(directory.resolve("client.key")).replace("\n", "\\n")
                + "\""));

    assertThat(
            user(
                anonymous()
                    .exec(
                        ExecConfig.builder(ExecConfig.V1BETA1, "sh")
                            .args(
                                List.of(
                                    "-c",
                                    "sed s,k8s.io/v1,k8s.io/v1beta1, "
                                        + directory.resolve("answer")))
                            .build())
                    .build()))
        .isEqualTo("erin");
  }

  private static String answer(String status) {
    return "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
        + "\"status\":{"
        + status
        + "}}";
  }

  @Test
  void impersonation_setsAllAttributes() throws Exception {
    RestConfig config =
        admin()
            .impersonate(
                ImpersonationConfig.builder("jane")
                    .uid("uid-7")
                    .group("developers")
                    .group("system:authenticated")
                    .extra("example.com/scopes", "view")
                    .extra("example.com/scopes", "edit")
                    .build())
            .build();
    try (RESTClient jane = RESTClient.create(config)) {
      Map<?, ?> info = whoAmI(jane);
      assertThat(info.get("username")).isEqualTo("jane");
      assertThat(info.get("uid")).isEqualTo("uid-7");
      assertThat((List<?>) info.get("groups")).asString().contains("developers");
      assertThat(((Map<?, ?>) info.get("extra")).get("example.com/scopes"))
          .isEqualTo(List.of("view", "edit"));
    }
  }

  /* --------------- Rotation --------------- */

  /** The certificate and the authority change in their files; the watch continues without gaps. */
  @Test
  void rotation_duringAWatch_losesNoEvent() throws Exception {
    identity("frank", "system:masters");
    Path ca = write("ca.crt", authority());
    RestConfig config =
        RestConfig.builder(server.url().toString())
            .certificateAuthority(ca)
            .clientCertificate(directory.resolve("client.crt"))
            .clientKey(directory.resolve("client.key"))
            .build();
    List<String> seen = new ArrayList<>();
    try (RESTClient other = RESTClient.create(config);
        Watch<Unstructured> watch =
            other
                .get()
                .absPath("/api/v1/namespaces/default/configmaps")
                .param("watch", "true")
                .param("labelSelector", "test=rotation")
                .watch(Unstructured.CODEC, DecodeContext.create())) {
      createAndSee(other, watch, "one", seen);

      identity("grace", "system:masters");
      awaitUser(other, "grace");
      createAndSee(other, watch, "two", seen);

      write(
          "ca.crt",
          CertificateAuthority.create(Clock.system(), "next").certificatePem() + authority());
      identity("heidi", "system:masters");
      awaitUser(other, "heidi");
      createAndSee(other, watch, "three", seen);
    }
    assertThat(seen).containsExactly("one", "two", "three");
  }

  private static void createAndSee(
      RESTClient client, Watch<Unstructured> watch, String name, List<String> seen)
      throws InterruptedException {
    client
        .post()
        .absPath("/api/v1/namespaces/default/configmaps")
        .body(
            ("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
                    + name
                    + "\",\"labels\":{\"test\":\"rotation\"}}}")
                .getBytes(UTF_8),
            "application/json")
        .execute();
    if (watch.next().orElseThrow() instanceof WatchEvent.Added<Unstructured> added) {
      seen.add(String.valueOf(added.value().metadata().name()));
    }
  }

  /** The server checks its files once per second, and its log reports a reload. */
  private static void awaitUser(RESTClient client, String name) throws InterruptedException {
    while (!name.equals(whoAmI(client).get("username"))) {
      Thread.onSpinWait();
    }
  }

  /* --------------- The server's APIs --------------- */

  @Test
  void openApi_describesEveryVersion() throws Exception {
    OpenAPIClient root = DiscoveryClient.of(client).openAPIV3().cached();

    assertThat(root.groupVersions())
        .contains(new GroupVersion("", "v1"), new GroupVersion("apps", "v1"));
    assertThat(root.spec(new GroupVersion("apps", "v1")).get("openapi")).isEqualTo("3.0.0");
    assertThatThrownBy(() -> root.spec(new GroupVersion("none", "v1")))
        .isInstanceOf(ApiStatusException.class);
  }

  @Test
  void openApi_diskCache_requestsItOnce() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    RequestMetrics counting =
        new RequestMetrics() {
          @Override
          public void attempted(Attempt attempt, int code, Duration latency) {
            asked.addAndGet(attempt.path().startsWith("/openapi/v3/apis/apps/v1") ? 1 : 0);
          }
        };
    try (RESTClient counted = RESTClient.builder(admin().build()).metrics(counting).build()) {
      for (int i = 0; i < 2; i++) {
        OpenAPIClient root = DiscoveryClient.of(counted).openAPIV3().cached(directory);
        assertThat(root.spec(new GroupVersion("apps", "v1")).get("openapi")).isEqualTo("3.0.0");
      }
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void unknownFields_builtInKinds_causeWarningsOrErrors() throws Exception {
    List<String> warnings = new CopyOnWriteArrayList<>();
    CreateOptions dryRun = CreateOptions.builder().dryRun(true).build();
    Unstructured odd =
        Unstructured.parse(
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"odd"},"nope":1,
             "spec":{"containers":[{"name":"c","image":"i","oops":1}]}}\
            """);
    try (RESTClient warned =
        RESTClient.builder(admin().build())
            .warningHandler((code, agent, text) -> warnings.add(text))
            .build()) {
      ResourceClient<Unstructured> pods =
          warned.dynamic(new GroupVersionResource("", "v1", "pods")).inNamespace("default");

      pods.create(odd, dryRun);
      assertThatThrownBy(
              () ->
                  pods.create(
                      odd, dryRun.toBuilder().fieldValidation(FieldValidation.STRICT).build()))
          .hasMessageContaining("strict decoding error: unknown field \"nope\", unknown field");
      assertThat(warnings)
          .containsExactlyInAnyOrder(
              "unknown field \"nope\"", "unknown field \"spec.containers[0].oops\"");
    }
  }

  /** An aggregated API without a backend only breaks its own group. */
  @Test
  void aggregatedApi_withoutBackend_affectsNoOtherGroup() throws Exception {
    GroupVersion broken = new GroupVersion("broken.example.com", "v1");
    ResourceClient<Unstructured> services =
        client.dynamic(new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices"));
    services.create(
        Unstructured.parse(
            """
            {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",
             "metadata":{"name":"v1.broken.example.com"},
             "spec":{"group":"broken.example.com","version":"v1","groupPriorityMinimum":100,
              "versionPriority":10,"insecureSkipTLSVerify":true,
              "service":{"name":"nobody","namespace":"default"}}}\
            """));
    try {
      for (DiscoveryClient discovery :
          List.of(DiscoveryClient.of(client), DiscoveryClient.legacy(client))) {
        Waiting.until("it is known to be broken", () -> failures(discovery).contains(broken));
        ServerResources found = discovery.serverGroupsAndResources();

        assertThat(found.failures()).containsOnlyKeys(broken);
        assertThat(found.resources()).doesNotContainKey(broken);
        assertThat(found.resources().get(new GroupVersion("apps", "v1"))).isNotEmpty();
        DeferredDiscoveryRESTMapper mapper =
            DeferredDiscoveryRESTMapper.of(MemCacheClient.of(discovery));
        assertThat(mapper.kindFor(new GroupVersionResource("", "", "pods")))
            .isEqualTo(new GroupVersionKind("", "v1", "Pod"));
        assertThatThrownBy(() -> mapper.restMapping(new GroupKind("broken.example.com", "Any")))
            .isInstanceOf(NoMatchException.class);
      }
    } finally {
      services.delete("v1.broken.example.com");
      Waiting.until(
          "it is forgotten", () -> !failures(DiscoveryClient.of(client)).contains(broken));
    }
  }

  private static Set<GroupVersion> failures(DiscoveryClient discovery) {
    try {
      return discovery.serverGroupsAndResources().failures().keySet();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Nested
  final class Discovery extends DiscoveryContract {
    @Override
    RESTClient client() {
      return client;
    }
  }
}
