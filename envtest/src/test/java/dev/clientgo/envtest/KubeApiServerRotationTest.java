package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.AuthInfo;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Credentials and authorities that change during a watch and writes. The client in each test writes
 * and watches: no call may fail, and each write must arrive as an event.
 */
@Timeout(300)
final class KubeApiServerRotationTest {

  /** The server accepts a token for that long after its expiry. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final GroupVersionResource ACCOUNTS =
      new GroupVersionResource("", "v1", "serviceaccounts");
  private static final GroupVersionResource SECRETS = new GroupVersionResource("", "v1", "secrets");
  private static final GroupVersionResource BINDINGS =
      new GroupVersionResource("rbac.authorization.k8s.io", "v1", "clusterrolebindings");
  private static final GroupVersionResource REVIEWS =
      new GroupVersionResource("authentication.k8s.io", "v1", "selfsubjectreviews");

  @TempDir private static Path keys;

  private static final CertificateAuthority NEXT =
      CertificateAuthority.create(Clock.system(), "next-ca");
  private static final KeyPair OUR_KEYS = NEXT.newKeys();

  private static KubeApiServer server;
  private static RESTClient admin;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    // With its own signing key, the test can sign tokens that the server's issuer would never
    // sign.
    Path key =
        Files.writeString(
            keys.resolve("ours.pub"),
            CertificateAuthority.pem("PUBLIC KEY", OUR_KEYS.getPublic().getEncoded()));
    server = KubeApiServer.builder().flag("--service-account-key-file=" + key).start();
    admin = RESTClient.create(trustingBoth(server.restConfig()).build());
    admin.dynamic(ACCOUNTS).inNamespace("default").create(named("v1", "ServiceAccount", "runner"));
    admin
        .dynamic(BINDINGS)
        .create(
            json(
                """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
                 "metadata":{"name":"runner"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",
                  "name":"cluster-admin"},
                 "subjects":[{"kind":"ServiceAccount","name":"runner","namespace":"default"}]}\
                """));
    Waiting.until("the server knows what the runner may do", KubeApiServerRotationTest::mayWrite);
  }

  private static boolean mayWrite() {
    try {
      return admin
          .dynamic(new GroupVersionResource("authorization.k8s.io", "v1", "subjectaccessreviews"))
          .create(
              json(
                  """
                  {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview",
                   "spec":{"user":"system:serviceaccount:default:runner",
                    "resourceAttributes":{"namespace":"default","verb":"create",
                     "resource":"configmaps"}}}\
                  """))
          .nestedBoolean("status", "allowed")
          .orElse(false);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The order of the tests decides which certificate the server presents. */
  private static RestConfig.Builder trustingBoth(RestConfig config) {
    return config.toBuilder()
        .certificateAuthorityData((authority() + NEXT.certificatePem()).getBytes(UTF_8));
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      admin.close();
      server.close();
    }
  }

  private static Unstructured json(String text) {
    return Unstructured.parse(text);
  }

  private static Unstructured named(String apiVersion, String kind, String name) {
    return Unstructured.of(
        Map.of("apiVersion", apiVersion, "kind", kind, "metadata", Map.of("name", name)));
  }

  private static String user(RESTClient client) throws InterruptedException {
    return client
        .dynamic(REVIEWS)
        .create(
            json("{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"))
        .nestedString("status", "userInfo", "username")
        .orElse("");
  }

  private Path write(String name, String text) throws IOException {
    Path temporary = Files.writeString(directory.resolve(name + ".new"), text);
    return Files.move(temporary, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String authority() {
    return new String(
        Objects.requireNonNull(
            KubeConfig.parse(server.kubeconfig())
                .clusters()
                .values()
                .iterator()
                .next()
                .certificateAuthorityData()),
        UTF_8);
  }

  /** Writes the certificate of an administrator to files. */
  private void identity(String name) throws IOException {
    AuthInfo user =
        KubeConfig.parse(server.kubeconfig(name, List.of("system:masters"))).users().get(name);
    write("client.crt", new String(Objects.requireNonNull(user.clientCertificateData()), UTF_8));
    write("client.key", new String(Objects.requireNonNull(user.clientKeyData()), UTF_8));
  }

  /** A writer of one object after another, and a watch of these objects, on one client. */
  private static final class Traffic {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final ResourceClient<Unstructured> objects;
    private final String name;
    private final FutureTask<List<String>> writes = new FutureTask<>(this::write);
    private final FutureTask<List<String>> events = new FutureTask<>(this::read);
    private final Watch<Unstructured> watch;

    Traffic(RESTClient client, String name) throws InterruptedException {
      this.objects = client.dynamic(CONFIG_MAPS).inNamespace("default");
      this.name = name;
      watch =
          objects.watch(
              ListOptions.builder().labelSelector("test=" + name).resourceVersion("0").build());
      DaemonThreads.named("traffic-").newThread(writes).start();
      DaemonThreads.named("traffic-").newThread(events).start();
    }

    private List<String> write() throws InterruptedException {
      List<String> written = new ArrayList<>();
      while (!ended.get() || written.size() < 3) {
        written.add(create(name + "-" + written.size()));
      }
      written.add(create(name + "-last"));
      return written;
    }

    private String create(String object) throws InterruptedException {
      objects.create(named("v1", "ConfigMap", object).with(name, "metadata", "labels", "test"));
      return object;
    }

    private List<String> read() throws InterruptedException {
      List<String> seen = new ArrayList<>();
      String last = "";
      while (!last.equals(name + "-last")) {
        if (watch.next().orElseThrow() instanceof WatchEvent.Added<Unstructured> added) {
          last = String.valueOf(added.value().metadata().name());
          seen.add(last);
        }
      }
      return seen;
    }

    void endAndCheck() throws Exception {
      ended.set(true);
      List<String> written = writes.get();
      assertThat(events.get()).isEqualTo(written).hasSizeGreaterThan(3);
      watch.close();
    }
  }

  private static void awaitUser(RESTClient client, String name) throws Exception {
    while (!name.equals(user(client))) {
      Thread.onSpinWait(); // The server checks its files once per second, and its log reports a
      // reload.
    }
  }

  /** The authority of the server is replaced together with its certificate, as operators do it. */
  @Test
  void authorityAndCertificate_replacedDuringAWatch_loseNoEvent() throws Exception {
    String old = authority();
    identity("grace");
    RestConfig config =
        RestConfig.builder(server.url().toString())
            .certificateAuthority(write("ca.crt", old))
            .clientCertificate(directory.resolve("client.crt"))
            .clientKey(directory.resolve("client.key"))
            .build();
    try (RESTClient client = RESTClient.create(config)) {
      Traffic traffic = new Traffic(client, "authority");

      write("ca.crt", old + NEXT.certificatePem());
      identity("heidi");
      awaitUser(client, "heidi");
      server.serveCertificateOf(NEXT);
      awaitAuthority(NEXT.certificatePem());
      write("ca.crt", NEXT.certificatePem());
      identity("ivan");
      awaitUser(client, "ivan");

      traffic.endAndCheck();
    }
    assertThatThrownBy(() -> connectTrusting(old)).isInstanceOf(TransportException.class);
  }

  private static void connectTrusting(String authority) throws InterruptedException {
    RestConfig config =
        RestConfig.builder(server.url().toString())
            .certificateAuthorityData(authority.getBytes(UTF_8))
            .build();
    try (RESTClient stranger = RESTClient.create(config)) {
      stranger.get().absPath("/version").execute();
    }
  }

  /** The server also reads its files when it is notified of a change. */
  private static void awaitAuthority(String authority) throws InterruptedException {
    Waiting.until(
        "the server shows its new certificate",
        () -> {
          try {
            connectTrusting(authority);
            return true;
          } catch (TransportException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /* --------------- Tokens of service accounts --------------- */

  /** Requests a token as the kubelet does, optionally bound to an object. */
  private static String token(String boundTo) throws InterruptedException {
    String bound =
        boundTo.isEmpty()
            ? ""
            : ",\"boundObjectRef\":{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"name\":\""
                + boundTo
                + "\"}";
    return admin
        .dynamic(ACCOUNTS)
        .inNamespace("default")
        .subresource("token")
        .create(
            "runner",
            json(
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\","
                    + "\"spec\":{\"expirationSeconds\":600"
                    + bound
                    + "}}"),
            CreateOptions.NONE)
        .nestedString("status", "token")
        .orElseThrow();
  }

  /** Returns a token with the same claims as another but a different expiry. */
  private static String expiring(String token, Instant when) throws GeneralSecurityException {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), UTF_8);
    String signed =
        base64.encodeToString("{\"alg\":\"ES256\"}".getBytes(UTF_8))
            + "."
            + base64.encodeToString(
                claims
                    .replaceFirst("\"exp\":[0-9]+", "\"exp\":" + when.getEpochSecond())
                    .getBytes(UTF_8));
    Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initSign(OUR_KEYS.getPrivate());
    signature.update(signed.getBytes(UTF_8));
    return signed + "." + base64.encodeToString(signature.sign());
  }

  private static RestConfig.Builder anonymous() {
    return trustingBoth(server.restConfig().anonymous());
  }

  private static boolean isRefused(String token) throws InterruptedException {
    try (RESTClient client = RESTClient.create(anonymous().bearerToken(token).build())) {
      user(client);
      return false;
    } catch (ApiStatusException e) {
      assertThat(e.isUnauthorized()).isTrue();
      return true;
    }
  }

  private static void awaitRefusal(String token) throws InterruptedException {
    Waiting.until(
        "the token is refused",
        () -> {
          try {
            return isRefused(token);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Returns a token that is about to expire and that the server has already accepted. */
  private static String tokenThatIsTakenOnce() throws Exception {
    for (int left = 3; ; left *= 2) {
      String token = expiring(token(""), Clock.system().now().minus(LEEWAY).plusSeconds(left));
      if (left > 60 || !isRefused(token)) {
        return token;
      }
    }
  }

  /** The server caches a successful authentication for 10 s. */
  @WaitingTest
  void serviceAccountToken_expiresDuringAWatch_isReplacedInTime() throws Exception {
    String first = tokenThatIsTakenOnce();
    Path file = write("token", first);
    try (RESTClient client = RESTClient.create(anonymous().bearerTokenFile(file).build())) {
      assertThat(user(client)).isEqualTo("system:serviceaccount:default:runner");
      Traffic traffic = new Traffic(client, "expiring");

      write("token", token(""));
      awaitRefusal(first);

      assertThat(user(client)).isEqualTo("system:serviceaccount:default:runner");
      traffic.endAndCheck();
    }
  }

  /** A token that is bound to an object becomes invalid when the object is deleted. */
  @WaitingTest
  void boundServiceAccountToken_objectDeleted_isReplaced() throws Exception {
    ResourceClient<Unstructured> secrets = admin.dynamic(SECRETS).inNamespace("default");
    secrets.create(named("v1", "Secret", "one"));
    secrets.create(named("v1", "Secret", "two"));
    String first = token("one");
    Path file = write("token", first);
    try (RESTClient client = RESTClient.create(anonymous().bearerTokenFile(file).build())) {
      assertThat(user(client)).isEqualTo("system:serviceaccount:default:runner");

      secrets.delete("one");
      awaitRefusal(first);
      assertThatThrownBy(() -> user(client))
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isUnauthorized()).isTrue());
      write("token", token("two"));

      assertThat(user(client)).isEqualTo("system:serviceaccount:default:runner");
    }
  }
}
