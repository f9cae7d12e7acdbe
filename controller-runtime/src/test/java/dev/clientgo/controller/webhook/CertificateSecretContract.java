package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.internal.webhook.CertificateSecret;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.admissionregistration.v1.ValidatingWebhook;
import dev.clientgo.kubernetes.admissionregistration.v1.ValidatingWebhookConfiguration;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Certificates that webhook servers issue themselves. Each test has a namespace of its own with a
 * Secret, and replicas with a clock each.
 */
@Timeout(300)
abstract class CertificateSecretContract {

  static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration RENEWAL = Duration.ofDays(61);
  private static final int LOOKS_OF_THE_OVERLAP = 31;
  private static final CreateOptions DRY_RUN = CreateOptions.builder().dryRun(true).build();
  private static final AtomicInteger TESTS = new AtomicInteger();

  final String name = "certificates-" + TESTS.incrementAndGet();
  final ObjectName secretName = new ObjectName(name, "webhook-certificate");
  private final List<Replica> replicas = new ArrayList<>();
  RESTClient client;
  ResourceClient<Secret> secrets;
  private ResourceClient<ConfigMap> maps;

  abstract ApiServer server();

  @BeforeEach
  void connect() throws InterruptedException {
    client = RESTClient.create(server().restConfig());
    client.resource(Namespace.TYPE).create(Namespace.of(name, n -> {}));
    secrets = client.resource(Secret.TYPE).inNamespace(name);
    maps = client.resource(ConfigMap.TYPE).inNamespace(name);
  }

  @AfterEach
  void disconnect() throws InterruptedException {
    client.resource(ValidatingWebhookConfiguration.TYPE).deleteIfExists(name);
    replicas.forEach(replica -> replica.server.close(Duration.ZERO));
    client.close();
  }

  /** A clock whose time of day can jump back. */
  static final class WallClock implements Clock {
    final FakeClock clock;
    volatile Duration behind = Duration.ZERO;

    WallClock(FakeClock clock) {
      this.clock = clock;
    }

    @Override
    public Instant now() {
      return clock.now().minus(behind);
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return clock.await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      clock.sleep(duration);
    }
  }

  /** A process of the program. */
  static final class Replica {
    final FakeClock clock;
    final WallClock wall;
    final PrometheusMetrics metrics = PrometheusMetrics.create();
    final WebhookServer server;

    Replica(WallClock wall, WebhookServer server) {
      this.wall = wall;
      this.clock = wall.clock;
      this.server = server;
    }

    /** Waits until a look has ended. */
    void awaitLook() throws InterruptedException {
      clock.awaitWaiterWithin(INTERVAL);
    }

    /** Lets the server look at the Secret once. */
    void look() throws InterruptedException {
      awaitLook();
      clock.advance(INTERVAL);
      awaitLook();
    }

    /** Returns the certificate that clients with that bundle see, in a new connection. */
    String served(Bytes bundle) throws Exception {
      return new WebhookCaller(server, bundle.utf8())
          .post("/nothing", "{}")
          .certificate()
          .getSerialNumber()
          .toString();
    }

    WebhookTarget target() {
      return WebhookTarget.url("https://127.0.0.1:" + server.address().getPort());
    }

    void stop() {
      server.close(Duration.ZERO);
    }
  }

  private Webhook webhook(String each) {
    return Webhook.validating(
            ConfigMap.TYPE,
            (map, request) ->
                map.data().containsKey("secret")
                    ? AdmissionResponse.deny("no secrets")
                    : AdmissionResponse.allow())
        .name(each + ".certificates.example.com")
        .path("/" + each)
        .namespaceSelector(
            LabelSelector.of(s -> s.matchLabels(Map.of("kubernetes.io/metadata.name", name))));
  }

  WebhookServer.Builder builder() {
    return WebhookServer.builder()
        .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .certificateSecret(client, secretName, name, "127.0.0.1");
  }

  Replica start(WebhookServer.Builder builder) {
    return start(builder, Duration.ZERO);
  }

  /** Starts a replica whose clock is behind that of the API server. */
  Replica start(WebhookServer.Builder builder, Duration behind) {
    WallClock clock = new WallClock(FakeClock.at(Clock.system().now().minus(behind)));
    Replica replica =
        new Replica(clock, builder.clock(clock).add(webhook("a")).add(webhook("b")).build());
    replicas.add(replica);
    replica.server.start(replica.metrics);
    return replica;
  }

  /** Starts a replica and waits for its first look. */
  Replica started() throws InterruptedException {
    Replica replica = start(builder());
    replica.awaitLook();
    return replica;
  }

  /** Registers a webhook at each of two replicas, so that each request needs both. */
  void register(Replica a, Replica b) throws InterruptedException {
    List<ValidatingWebhook> at = new ArrayList<>();
    for (Replica each : List.of(a, b)) {
      WebhookConfigurations all = each.server.configurations(name, each.target());
      at.add(all.validating().orElseThrow().webhooks().get(at.size()));
    }
    client
        .resource(ValidatingWebhookConfiguration.TYPE)
        .create(ValidatingWebhookConfiguration.of(name, c -> c.webhooks(at)));
  }

  Bytes registeredBundle() throws InterruptedException {
    Bytes bundle = null;
    for (ValidatingWebhook each :
        client.resource(ValidatingWebhookConfiguration.TYPE).get(name).webhooks()) {
      Bytes own = each.clientConfig().caBundle();
      assertThat(own).isNotNull();
      assertThat(bundle == null ? own : bundle).as("the bundle of each webhook").isEqualTo(own);
      bundle = own;
    }
    assertThat(bundle).as("bundle").isNotNull();
    return bundle;
  }

  private boolean isDenied() {
    try {
      maps.create(ConfigMap.of(name, "probe", c -> c.data(Map.of("secret", "x"))), DRY_RUN);
      return false;
    } catch (ApiStatusException e) {
      return e.status().message().contains("no secrets");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void createMap() throws InterruptedException {
    maps.create(ConfigMap.of(name, "flow", c -> {}), DRY_RUN);
  }

  /** Returns the data of the Secret. */
  Map<String, Bytes> data() throws InterruptedException {
    return secrets.get(secretName.name()).data();
  }

  private static String keyLine(Map<String, Bytes> data) {
    return data.get("tls.key").utf8().lines().skip(1).findFirst().orElseThrow();
  }

  // ---- the start

  @Test
  void firstStart_createsTheSecret_andTheServerCallsTheWebhook() throws Exception {
    try (CapturedLog log = CapturedLog.of(CertificateSecret.class)) {
      Replica replica = started();
      assertThat(replica.server.isRunning()).isTrue();
      register(replica, replica);
      replica.look();

      Eventually.await("a call", this::isDenied);
      createMap();
      Secret secret = secrets.get(secretName.name());
      assertThat(secret.type()).isEqualTo("kubernetes.io/tls");
      assertThat(secret.data()).containsOnlyKeys("tls.crt", "tls.key", "ca.crt");
      assertThat(registeredBundle()).isEqualTo(secret.data().get("ca.crt"));
      assertThat(log.texts(Level.INFO)).hasSize(1);
      String key = keyLine(data());
      assertThat(log.traces()).noneMatch(line -> line.contains(key));
    }
  }

  @Test
  void replicasThatStartAtOnce_useOneCertificate() throws Exception {
    List<Replica> all = List.of(start(builder()), start(builder()), start(builder()));
    for (Replica each : all) {
      each.awaitLook();
    }

    Bytes bundle = data().get("ca.crt");
    String served = all.get(0).served(bundle);
    for (Replica each : all) {
      assertThat(each.served(bundle)).isEqualTo(served);
      assertThat(each.server.certificateProblem()).isEmpty();
    }
  }

  @Test
  void restart_usesTheSecretThatIsThere() throws Exception {
    Replica first = started();
    Secret before = secrets.get(secretName.name());
    first.stop();

    Replica second = started();

    assertThat(secrets.get(secretName.name())).isEqualTo(before);
    assertThat(second.served(before.data().get("ca.crt"))).isNotEmpty();
  }

  // ---- rotation

  /** The certificate was served when a server that is slow did not know its authority. */
  @Test
  void rotation_failsNoCall_alsoOfServersThatAreMinutesBehind() throws Exception {
    Replica a = started();
    Replica b = started();
    register(a, b);
    a.look();
    Eventually.await("a call", this::isDenied);
    String first = a.served(registeredBundle());
    List<Bytes> bundles = new ArrayList<>(List.of(registeredBundle()));
    a.clock.advance(RENEWAL);
    b.clock.advance(RENEWAL);

    for (int i = 0; i < LOOKS_OF_THE_OVERLAP + 5; i++) {
      for (Replica each : List.of(a, b)) {
        each.look();
        bundles.add(registeredBundle());
        Bytes fourMinutesAgo = bundles.get(Math.max(0, bundles.size() - 2 * 24));
        for (Replica called : List.of(a, b)) {
          called.served(fourMinutesAgo);
        }
        createMap();
      }
    }

    assertThat(a.served(registeredBundle()))
        .isNotEqualTo(first)
        .isEqualTo(b.served(registeredBundle()));
    assertThat(data()).containsOnlyKeys("tls.crt", "tls.key", "ca.crt");
    assertThat(a.server.certificateProblem()).isEmpty();
    assertThat(a.metrics.text()).contains("certwatcher_read_certificate_errors_total 0\n");

    // A replica that was cut off all the time still serves the first one, and is called.
    assertThat(bundles.get(0)).isNotEqualTo(registeredBundle());
    assertThat(registeredBundle().utf8()).contains(bundles.get(0).utf8());
  }

  @Test
  void rotation_dropsOldAuthorities() throws Exception {
    Replica replica = started();
    List<String> served = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      served.add(data().get("tls.crt").base64());
      replica.clock.advance(RENEWAL);
      for (int j = 0; j <= LOOKS_OF_THE_OVERLAP; j++) {
        replica.look();
      }
    }

    assertThat(served).doesNotHaveDuplicates();
    assertThat(data().get("ca.crt").utf8().split("BEGIN CERTIFICATE", -1)).hasSize(1 + 3);
  }

  @Test
  void restartInTheOverlap_beginsTheOverlapAgain() throws Exception {
    Replica first = started();
    first.clock.advance(RENEWAL);
    first.look();
    assertThat(data()).containsKey("next.key");
    Bytes next = data().get("next.crt");
    first.stop();

    Replica second = started();
    for (int i = 0; i < LOOKS_OF_THE_OVERLAP - 2; i++) {
      second.look();
      assertThat(data()).containsKey("next.key");
    }
    second.look();
    second.look();

    assertThat(data().get("tls.crt")).isEqualTo(next);
    assertThat(data()).doesNotContainKey("next.key");
  }

  // ---- what others do

  @Test
  void bundlesThatOthersOverwrite_areRepaired() throws Exception {
    Replica replica = started();
    register(replica, replica);
    replica.look();
    Eventually.await("a call", this::isDenied);
    Bytes bundle = registeredBundle();

    removeBundles();
    replica.look();
    assertThat(registeredBundle()).isEqualTo(bundle);

    replica.server.configurations(name, replica.target()).install(client);
    replica.look();
    assertThat(registeredBundle()).isEqualTo(bundle);
    replica.server.configurations(name, replica.target()).install(client);
    assertThat(registeredBundle()).as("an apply without a bundle leaves it").isEqualTo(bundle);
  }

  private void removeBundles() throws InterruptedException {
    client
        .resource(ValidatingWebhookConfiguration.TYPE)
        .edit(
            name,
            c ->
                c.with(
                    edit ->
                        edit.webhooks(
                            c.webhooks().stream()
                                .map(w -> w.with(x -> x.editClientConfig(k -> k.caBundle(null))))
                                .toList())));
  }

  /** As by cert-manager's injector; each look patched, and nothing told. */
  @Test
  void bundlesThatSomethingReplacesEachTime_areAProblem_asLongAsItDoes() throws Exception {
    Replica replica = started();
    register(replica, replica);
    try (CapturedLog log = CapturedLog.of(CertificatePoller.class)) {
      for (int i = 0; i < 13; i++) {
        replica.look();
        assertThat(registeredBundle()).isEqualTo(data().get("ca.crt"));
        removeBundles();
      }
      assertThat(replica.server.certificateProblem().orElseThrow())
          .contains("validatingwebhookconfigurations/" + name)
          .contains("was replaced after each");
      assertThat(log.texts(Level.WARNING)).isNotEmpty();
      assertThat(replica.metrics.text()).contains("certwatcher_read_certificate_errors_total 8\n");
    }
    assertThat(replica.server.isRunning()).isTrue();

    replica.look();
    replica.look();

    assertThat(replica.server.certificateProblem()).isEmpty();
  }

  /** Its certificates run out for all servers before it replaces them. */
  @Test
  void clockFarBehind_ofTheOnlyReplica_isAProblem() throws Exception {
    Replica replica = start(builder(), Duration.ofDays(40));
    for (int i = 0; i < 8; i++) {
      replica.look();
    }

    assertThat(replica.server.certificateProblem().orElseThrow())
        .contains("the clock of this process")
        .contains(secretName.toString());
    assertThat(replica.server.isRunning()).isTrue();
  }

  // ---- permissions

  /** Returns the roles of the page, for the objects of this test. */
  private List<Unstructured> roles() throws IOException {
    Matcher yaml =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/webhooks.md")));
    assertThat(yaml.find()).isTrue();
    return Unstructured.parseYaml(
        yaml.group(1)
            .replace("my-operator-certificate", secretName.name())
            .replace("my-operator", name)
            .replace("shop", name)
            .replace("foos.example.com", "gadgets.webhooks.example.com"));
  }

  private void grant(Unstructured role) throws InterruptedException {
    boolean isNamespaced = role.kind().equals("Role");
    GroupVersionKind kind =
        GroupVersion.parse("rbac.authorization.k8s.io/v1").withKind(role.kind());
    GroupVersionKind binding = kind.groupVersion().withKind(role.kind() + "Binding");
    client.resource(Unstructured.type(kind, plural(kind), isNamespaced)).create(role);
    client
        .resource(Unstructured.type(binding, plural(binding), isNamespaced))
        .create(
            Unstructured.of(
                Map.of(
                    "apiVersion",
                    role.apiVersion(),
                    "kind",
                    binding.kind(),
                    "metadata",
                    isNamespaced ? Map.of("name", name, "namespace", name) : Map.of("name", name),
                    "roleRef",
                    Map.of("apiGroup", kind.group(), "kind", kind.kind(), "name", name),
                    "subjects",
                    List.of(
                        Map.of("kind", "ServiceAccount", "namespace", name, "name", "robot")))));
  }

  private static String plural(GroupVersionKind kind) {
    return kind.kind().toLowerCase(Locale.ROOT) + "s";
  }

  @Test
  void rolesOfThePage_suffice() throws Exception {
    for (Unstructured role : roles()) {
      grant(role);
    }
    try (RESTClient robot = RESTClient.create(server().serviceAccount(name, "robot"))) {
      Eventually.await("the roles in the caches of the server", () -> mayRead(robot));
      Replica replica =
          start(
              builder()
                  .certificateSecret(robot, secretName, name, "127.0.0.1")
                  .add(
                      Conversion.of(
                          new GroupKind("webhooks.example.com", "Gadget"),
                          "gadgets",
                          (object, version) -> object.withType(version.toString(), "Gadget"))));
      replica.awaitLook();
      replica.server.configurations(name, replica.target()).install(robot);
      replica.look();
      Eventually.await("a call", this::isDenied);
      String first = replica.served(registeredBundle());
      replica.clock.advance(RENEWAL);
      for (int i = 0; i <= LOOKS_OF_THE_OVERLAP; i++) {
        replica.look();
      }

      assertThat(replica.served(registeredBundle())).isNotEqualTo(first);
      assertThat(replica.metrics.text()).contains("certwatcher_read_certificate_errors_total 0\n");
      replica.server.configurations(name, replica.target()).install(robot);
      replica.stop();
      assertThatThrownBy(() -> robot.resource(Secret.TYPE).inNamespace(name).list())
          .as("roles are enforced")
          .hasMessageContaining("forbidden");
    }
  }

  private boolean mayRead(RESTClient robot) {
    try {
      robot.resource(Secret.TYPE).inNamespace(name).find(secretName.name());
      robot.resource(ValidatingWebhookConfiguration.TYPE).find(name);
      return true;
    } catch (ApiStatusException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void bundleOfADefinition_isWritten() throws Exception {
    GroupKind gadget = new GroupKind("webhooks.example.com", "Gadget");
    Replica replica =
        start(
            builder()
                .add(
                    Conversion.of(
                        gadget,
                        "gadgets",
                        (object, version) -> object.withType(version.toString(), "Gadget"))));
    replica.awaitLook();
    replica.server.configurations(name, replica.target()).install(client);
    replica.look();

    CustomResourceDefinition definition =
        client.resource(CustomResourceDefinition.TYPE).get("gadgets.webhooks.example.com");
    assertThat(definition.spec().conversion().webhook().clientConfig().caBundle())
        .isEqualTo(data().get("ca.crt"));
    ResourceClient<Unstructured> gadgets =
        client
            .resource(Unstructured.type(gadget.withVersion("v2"), "gadgets", true))
            .inNamespace(name);
    Eventually.await("a conversion", () -> isCreated(gadgets));
  }

  private boolean isCreated(ResourceClient<Unstructured> gadgets) {
    try {
      gadgets.create(
          Unstructured.of(
              Map.of(
                  "apiVersion",
                  "webhooks.example.com/v2",
                  "kind",
                  "Gadget",
                  "metadata",
                  Map.of("name", "g", "namespace", name))),
          DRY_RUN);
      return true;
    } catch (ApiStatusException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void deletedSecret_isWrittenBack() throws Exception {
    Replica replica = started();
    Map<String, Bytes> before = data();

    secrets.delete(secretName.name());
    replica.look();

    assertThat(data()).isEqualTo(before);
  }

  /** The authority of the replica that ran was no longer trusted. */
  @Test
  void deletedSecret_replacedByANewReplica_failsNoCall() throws Exception {
    Replica old = started();
    register(old, old);
    old.look();
    Eventually.await("a call", this::isDenied);
    String first = old.served(registeredBundle());

    secrets.delete(secretName.name());
    Replica fresh = started();
    assertThat(old.served(registeredBundle())).isEqualTo(first);
    old.look();

    assertThat(old.served(registeredBundle()))
        .isNotEqualTo(first)
        .isEqualTo(fresh.served(registeredBundle()));
  }

  @Test
  void secretOfSomethingElse_isNeverChanged() throws Exception {
    Secret other =
        secrets.create(
            Secret.of(
                name, secretName.name(), s -> s.data(Map.of("tls.key", Bytes.ofUtf8("mine")))));
    try (CapturedLog log = CapturedLog.of(CertificatePoller.class)) {
      Replica replica = started();
      replica.look();

      assertThat(replica.server.isRunning()).isFalse();
      assertThat(replica.server.certificateProblem().orElseThrow())
          .contains("no certificate yet")
          .contains("the Secret " + secretName + " belongs to something else");
      assertThat(log.texts(Level.WARNING)).hasSize(1);
      assertThat(secrets.get(secretName.name())).isEqualTo(other);

      secrets.delete(secretName.name());
      replica.look();
      assertThat(replica.server.isRunning()).isTrue();
      assertThat(replica.server.certificateProblem()).isEmpty();
    }
  }

  @Test
  void secretOfAnotherProgram_isNeverChanged() throws Exception {
    started();
    Secret before = secrets.get(secretName.name());
    Replica other = start(builder().certificateSecret(client, secretName, name, "other.shop.svc"));
    other.awaitLook();

    assertThat(other.server.isRunning()).isFalse();
    assertThat(secrets.get(secretName.name())).isEqualTo(before);
  }

  @Test
  void garbageInTheSecret_isReplaced_byWhatAReplicaServes() throws Exception {
    Replica replica = started();
    Map<String, Bytes> before = data();
    Map<String, Bytes> other = otherPair();
    for (Map<String, Bytes> garbage :
        List.of(
            Map.of("tls.crt", Bytes.ofUtf8("no certificate")),
            Map.of("tls.key", Bytes.ofUtf8("-----BEGIN PRIVATE KEY-----\n")),
            Map.of("tls.key", other.get("tls.key")),
            Map.of("ca.crt", other.get("ca.crt")),
            Map.of("ca.crt", Bytes.ofUtf8("-----BEGIN CERTIFICATE-----\nxx")),
            Map.of("next.key", other.get("tls.key")),
            other)) {
      boolean isPair = garbage.equals(other);
      try (CapturedLog log = CapturedLog.of(CertificateSecret.class)) {
        secrets.edit(secretName.name(), s -> s.with(e -> e.editData(d -> d.putAll(garbage))));
        replica.look();
        assertThat(log.texts(Level.WARNING)).hasSize(isPair ? 0 : 1);
        String key = keyLine(data());
        assertThat(log.traces()).noneMatch(line -> line.contains(key));
      }
      assertThat(data()).isEqualTo(isPair ? other : before);
      replica.served(data().get("ca.crt"));
    }
  }

  /** Returns what the Secret of another server has. */
  private Map<String, Bytes> otherPair() throws InterruptedException {
    ObjectName elsewhere = new ObjectName(name, "elsewhere");
    Replica other = start(builder().certificateSecret(client, elsewhere, name, "127.0.0.1"));
    other.awaitLook();
    other.stop();
    return secrets.get("elsewhere").data();
  }

  @Test
  void garbageInTheSecret_isReplaced_byAFirstReplicaToo() throws Exception {
    started().stop();
    secrets.edit(
        secretName.name(),
        s -> s.with(e -> e.editData(d -> d.put("tls.crt", Bytes.ofUtf8("no certificate")))));

    Replica second = started();

    assertThat(second.server.isRunning()).isTrue();
    second.served(data().get("ca.crt"));
  }

  @Test
  void certificateThatHasRunOut_isReplacedAtOnce() throws Exception {
    Replica replica = start(builder(), Duration.ofDays(60));
    replica.awaitLook();
    register(replica, replica);
    String first = replica.served(data().get("ca.crt"));

    replica.clock.advance(Duration.ofDays(91));
    assertThat(replica.server.isRunning()).isFalse();
    replica.look();

    assertThat(replica.served(registeredBundle())).isNotEqualTo(first);
    assertThat(replica.server.isRunning()).isTrue();
  }

  /** A clock that is wrong by months must not cost the calls of any replica. */
  @ParameterizedTest
  @ValueSource(ints = {85, 300})
  void clockThatJumpsForward_failsNoCall(int days) throws Exception {
    Replica right = started();
    Replica wrong = started();
    register(right, wrong);
    right.look();
    Eventually.await("a call", this::isDenied);
    createMap();

    wrong.clock.advance(Duration.ofDays(days));
    wrong.look();
    right.served(registeredBundle());
    wrong.served(registeredBundle());
    createMap();
    for (int i = 0; i < LOOKS_OF_THE_OVERLAP; i++) {
      wrong.look();
      right.served(registeredBundle());
    }
    right.look();
    createMap();

    assertThat(right.served(registeredBundle())).isEqualTo(wrong.served(registeredBundle()));
  }

  /** The replica with the wrong clock issues a certificate that is nearly at its end. */
  @Test
  void clockThatIsBehind_failsNoCall() throws Exception {
    Replica behind = start(builder(), Duration.ofDays(85));
    behind.awaitLook();
    Replica right = started();
    register(behind, right);
    right.look();
    Eventually.await("a call", this::isDenied);
    String first = right.served(registeredBundle());

    for (int i = 0; i < LOOKS_OF_THE_OVERLAP; i++) {
      right.look();
      behind.look();
      behind.served(registeredBundle());
    }
    createMap();

    assertThat(behind.served(registeredBundle()))
        .isNotEqualTo(first)
        .isEqualTo(right.served(registeredBundle()));
  }

  @Test
  void clockThatJumpsBackInTheOverlap_failsNoCall() throws Exception {
    Replica right = started();
    Replica wrong = started();
    register(right, wrong);
    right.look();
    Eventually.await("a call", this::isDenied);
    Bytes first = data().get("tls.crt");
    wrong.clock.advance(RENEWAL);
    wrong.look();
    wrong.look();
    assertThat(data()).containsKey("next.key");

    wrong.wall.behind = Duration.ofDays(200);
    for (int i = 0; i < LOOKS_OF_THE_OVERLAP; i++) {
      wrong.look();
      right.served(registeredBundle());
      wrong.served(registeredBundle());
    }
    right.look();
    createMap();

    assertThat(data().get("tls.crt")).isNotEqualTo(first);
    assertThat(data()).doesNotContainKey("next.key");
    assertThat(wrong.server.isRunning()).isTrue();
    assertThat(wrong.server.certificateProblem().orElseThrow()).contains("the clock of this");
  }

  /** Each replaced the bundle of the other, so half of the calls failed until the old ended. */
  @Test
  void replicasWithAnotherSecret_besideOldOnes_failNoCall() throws Exception {
    Replica old = started();
    register(old, old);
    old.look();
    Eventually.await("a call", this::isDenied);
    ObjectName other = new ObjectName(name, "renamed");
    Replica fresh = start(builder().certificateSecret(client, other, name, "127.0.0.1"));
    fresh.awaitLook();

    for (Replica each : List.of(old, fresh, old)) {
      each.look();
      old.served(registeredBundle());
      fresh.served(registeredBundle());
    }
    createMap();
  }

  @Test
  void host_isNamed() {
    assertThatThrownBy(() -> builder().certificateSecret(client, secretName, name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NAME.NAMESPACE.svc");
  }
}
