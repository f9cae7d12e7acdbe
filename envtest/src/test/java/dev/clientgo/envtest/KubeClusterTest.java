package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.KubeCluster.Component;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A whole cluster does what a cluster does. The tests share one, and each has its own objects. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class KubeClusterTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  private static KubeCluster cluster;
  private static RESTClient client;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
    cluster =
        KubeCluster.builder()
            .missingImage("example.com/missing")
            .image("greeter", "echo", "hello from")
            .longestRestartDelay(Duration.ofSeconds(1))
            .start();
    client = RESTClient.create(cluster.restConfig());
    kubectl = Kubectl.of(cluster);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      client.close();
      cluster.close();
    }
  }

  private static ResourceClient<Unstructured> resource(
      String group, String version, String resource) {
    return client.dynamic(new GroupVersionResource(group, version, resource));
  }

  private static ResourceClient<Unstructured> pods() {
    return resource("", "v1", "pods").inNamespace("default");
  }

  private static ResourceClient<Unstructured> deployments() {
    return resource("apps", "v1", "deployments").inNamespace("default");
  }

  private static ResourceClient<Unstructured> jobs() {
    return resource("batch", "v1", "jobs").inNamespace("default");
  }

  private static Unstructured yaml(String text) {
    return Unstructured.parseYaml(text).get(0);
  }

  private static void createPod(String name, String spec) throws InterruptedException {
    pods()
        .create(
            yaml(
                "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s}}"
                    .formatted(name, spec)));
  }

  private static Unstructured await(
      ResourceClient<Unstructured> objects, String name, Predicate<Unstructured> condition)
      throws Exception {
    return objects.await(name, found -> found.filter(condition).isPresent(), WAIT).orElseThrow();
  }

  private static boolean isPhase(Unstructured pod, String phase) {
    return pod.nestedString("status", "phase").equals(Optional.of(phase));
  }

  private static boolean hasCondition(Unstructured object, String type) {
    return JsonTree.objects(object.content(), "status", "conditions").stream()
        .anyMatch(each -> type.equals(each.get("type")) && "True".equals(each.get("status")));
  }

  private static Map<String, Object> container(Unstructured pod, int index) {
    return JsonTree.objects(pod.content(), "status", "containerStatuses").get(index);
  }

  private static long restarts(Unstructured pod) {
    List<Map<String, Object>> statuses =
        JsonTree.objects(pod.content(), "status", "containerStatuses");
    return statuses.isEmpty() ? 0 : (Long) statuses.get(0).getOrDefault("restartCount", 0L);
  }

  @Test
  void deployment_getsFiveReadyPods_whichEndWithIt() throws Exception {
    deployments()
        .create(
            yaml(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 5
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: nginx, image: nginx}]}
                """));
    await(
        deployments(),
        "web",
        web -> web.nestedLong("status", "readyReplicas").equals(Optional.of(5L)));

    deployments().delete("web");

    Waiting.until("its pods are collected", () -> podsOf("web").isEmpty());
  }

  private static List<Unstructured> podsOf(String app) {
    try {
      return pods().list().items().stream()
          .filter(pod -> app.equals(labels(pod).get("app")))
          .toList();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private static Map<String, String> labels(Unstructured object) {
    return object.nestedStringMap("metadata", "labels").orElse(Map.of());
  }

  private static void createJob(String name, String command) throws InterruptedException {
    jobs()
        .create(
            yaml(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s}
                spec:
                  backoffLimit: 0
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: c, image: busybox, command: [sh, -c, "%s"]}]
                """
                    .formatted(name, command)));
  }

  @Test
  void job_whoseCommandSucceeds_completes() throws Exception {
    createJob("good", "exit 0");

    await(jobs(), "good", job -> hasCondition(job, "Complete"));
  }

  @Test
  void job_whoseCommandFails_fails() throws Exception {
    createJob("bad", "exit 3");

    await(jobs(), "bad", job -> hasCondition(job, "Failed"));
    Unstructured pod =
        pods().list().items().stream()
            .filter(each -> "bad".equals(labels(each).get("job-name")))
            .findFirst()
            .orElseThrow();
    assertThat(container(pod, 0).get("state").toString()).contains("exitCode=3", "reason=Error");
  }

  @Test
  void container_thatEnds_isRestarted() throws Exception {
    createPod("restarted", "containers: [{name: c, image: i, command: [sh, -c, 'exit 1']}]");

    await(pods(), "restarted", pod -> restarts(pod) >= 2);
  }

  @Test
  void initContainers_runInOrder_beforeTheOthers() throws Exception {
    createPod(
        "ordered",
        "restartPolicy: Never, volumes: [{name: w, emptyDir: {}}], initContainers: ["
            + container("a", "echo a >> /work/log")
            + ", "
            + container("b", "echo b >> /work/log")
            + "], containers: ["
            + container("c", "test \\\"$(tr -d '\\\\n' < /work/log)\\\" = ab")
            + "]");

    await(pods(), "ordered", pod -> isPhase(pod, "Succeeded"));
  }

  private static String container(String name, String script) {
    return "{name: %s, image: i, command: [sh, -c, \"%s\"], volumeMounts: [{name: w, mountPath: /work}]}"
        .formatted(name, script);
  }

  @Test
  void readinessProbe_thatFails_keepsThePodFromReadiness() throws Exception {
    createPod(
        "probed",
        "volumes: [{name: w, emptyDir: {}}], containers: [{name: c, image: i, command: [sh, -c,"
            + " 'trap \"exit 0\" TERM; while ! test -f /work/go; do sleep 0.1; done; rm /work/go;"
            + " touch /work/ready; while :; do sleep 0.1; done'], volumeMounts: [{name: w,"
            + " mountPath: /work}], readinessProbe: {exec: {command: [test, -f, /work/ready]},"
            + " periodSeconds: 1}}]");
    Unstructured running = await(pods(), "probed", pod -> isPhase(pod, "Running"));
    assertThat(hasCondition(running, "Ready")).isFalse();

    assertThat(kubectl.run("exec", "probed", "--", "touch", "/work/go").status()).isZero();

    await(pods(), "probed", pod -> hasCondition(pod, "Ready"));
  }

  @Test
  void livenessProbe_thatFails_restartsTheContainer() throws Exception {
    createPod(
        "sick",
        "terminationGracePeriodSeconds: 1, containers: [{name: c, image: i, command: [sleep,"
            + " '1000'], livenessProbe: {exec: {command: ['false']}, periodSeconds: 1,"
            + " failureThreshold: 1}}]");

    await(pods(), "sick", pod -> restarts(pod) >= 1);
  }

  @Test
  void image_thatIsMissing_isNotPulled() throws Exception {
    createPod("unpulled", "containers: [{name: c, image: 'example.com/missing:v1'}]");

    await(
        pods(),
        "unpulled",
        pod -> pod.toJson().contains("PullBackOff") || pod.toJson().contains("ErrImagePull"));
  }

  @Test
  void image_withAProgram_runsItWithTheArgumentsOfThePod() throws Exception {
    createPod(
        "greeter",
        "restartPolicy: Never, containers: [{name: c, image: 'greeter:1.0', args: [the pod]}]");
    await(pods(), "greeter", pod -> isPhase(pod, "Succeeded"));

    assertThat(kubectl.run("logs", "greeter").output()).isEqualTo("hello from the pod\n");
  }

  @Test
  void command_thatThisMachineDoesNotHave_isReported() throws Exception {
    createPod("absent", "containers: [{name: c, image: i, command: [/no/such/program]}]");

    await(pods(), "absent", pod -> pod.toJson().contains("/no/such/program: no such file"));
  }

  @Test
  void exec_hasStreamsAndExitCode() throws Exception {
    createPod("executed", "containers: [{name: c, image: nginx}]");
    Unstructured ready = await(pods(), "executed", pod -> hasCondition(pod, "Ready"));
    assertThat(container(ready, 0).get("image")).isEqualTo("nginx");

    Kubectl.Result result =
        Kubectl.of(cluster)
            .run("exec", "executed", "--", "sh", "-c", "echo out; echo err >&2; exit 7");

    assertThat(result.status()).isEqualTo(7);
    assertThat(result.output()).contains("out\n").contains("err\n");
  }

  @Test
  void namespace_ends_withAllThatIsInIt() throws Exception {
    ResourceClient<Unstructured> namespaces = resource("", "v1", "namespaces");
    namespaces.create(yaml("{apiVersion: v1, kind: Namespace, metadata: {name: short-lived}}"));
    ResourceClient<Unstructured> accounts =
        resource("", "v1", "serviceaccounts").inNamespace("short-lived");
    accounts.await("default", Optional::isPresent, WAIT);
    resource("", "v1", "pods")
        .inNamespace("short-lived")
        .create(
            yaml(
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c,"
                    + " image: nginx}]}}"));

    namespaces.delete("short-lived");

    namespaces.await("short-lived", Optional::isEmpty, WAIT);
  }

  @Test
  void start_withoutBinaries_namesThem(@TempDir Path empty) throws IOException {
    for (String each : List.of("etcd", "kube-apiserver", "kube-scheduler")) {
      assertThat(Files.createFile(empty.resolve(each)).toFile().setExecutable(true)).isTrue();
    }

    assertThatThrownBy(() -> KubeCluster.builder().assets(empty).start())
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("no kube-controller-manager, process-kubelet in " + empty);
  }

  @Test
  void start_unknownFlag_reportsTheOutputOfTheComponent() {
    assertThatThrownBy(
            () ->
                KubeCluster.builder()
                    .without(Component.KUBELET)
                    .flag(Component.SCHEDULER, "--no-such-flag")
                    .start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kube-scheduler did not stay up, it exited with status")
        .hasMessageContaining("unknown flag: --no-such-flag");
  }
}
