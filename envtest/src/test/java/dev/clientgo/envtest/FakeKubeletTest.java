package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.kubelet.ContainerLog;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.kubelet.PortProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Containers of the embedded server: logs, and the states of pods. */
@Timeout(300)
final class FakeKubeletTest {

  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");
  private static final Instant TEN = Instant.parse("2026-11-23T10:00:00.5Z");

  private static final FakeClock CLOCK = FakeClock.create();
  private static EmbeddedApiServer server;
  private static TestClient api;

  private final FakeKubelet kubelet = server.kubelet();

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.builder().clock(CLOCK).start();
    api = TestClient.of(server);
  }

  @AfterAll
  static void stop() {
    api.close();
    server.close();
  }

  @BeforeEach
  void reset() {
    server.reset();
  }

  private static Answer get(String pathAndQuery) {
    return api.get("/api/v1/namespaces/default/pods/" + pathAndQuery);
  }

  private ContainerLog lines(int count) {
    kubelet.runPod("default", "p", "c");
    ContainerLog log = kubelet.log("default", "p", "c");
    for (int i = 0; i < count; i++) {
      log.line(TEN.plusSeconds(i), "line " + i);
    }
    return log;
  }

  @Test
  void runPod_isAPodThatRuns() {
    kubelet.runPod("default", "p", "a", "b");
    kubelet.runPod("default", "alone");

    Unstructured pod = server.objects(PODS).get("default", "p").orElseThrow();
    assertThat(pod.nestedString("spec", "nodeName")).contains("node-1");
    assertThat(pod.nestedString("status", "phase")).contains("Running");
    assertThat(pod.toJson()).contains("\"name\":\"b\"").contains("\"ready\":true");
    assertThat(
            server
                .objects(PODS)
                .get("default", "alone")
                .orElseThrow()
                .nestedList("spec", "containers"))
        .contains(List.of(Map.of("name", "alone", "image", "alone")));
  }

  @Test
  void log_hasTheOptionsOfKubectl() {
    lines(5).errorLine("an error");

    assertThat(get("p/log").text()).isEqualTo("line 0\nline 1\nline 2\nline 3\nline 4\nan error\n");
    assertThat(get("p/log?tailLines=2").text()).isEqualTo("line 4\nan error\n");
    assertThat(get("p/log?tailLines=0").text()).isEmpty();
    assertThat(get("p/log?limitBytes=10").text()).isEqualTo("line 0\nlin");
    assertThat(get("p/log?sinceTime=2026-11-23T10:00:03Z&tailLines=3").text())
        .isEqualTo("line 3\nline 4\n");
    assertThat(get("p/log?stream=Stderr").text()).isEqualTo("an error\n");
    assertThat(get("p/log?stream=Stdout&limitBytes=6").text()).isEqualTo("line 0");
    assertThat(get("p/log?timestamps=true&limitBytes=38").text())
        .isEqualTo("2026-11-23T10:00:00.500000000Z line 0\n");
    assertThat(get("p/log?stream=Stderr&tailLines=1").message())
        .contains("`tailLines` and specific `stream` are mutually exclusive");
  }

  @Test
  void log_sinceSomeSeconds_isByTheClockOfTheServer() {
    kubelet.runPod("default", "p", "c");
    ContainerLog log = kubelet.log("default", "p", "c");
    log.line("old");
    CLOCK.advance(Duration.ofSeconds(10));
    log.line("new");

    assertThat(get("p/log?sinceSeconds=5").text()).isEqualTo("new\n");
    assertThat(get("p/log?sinceSeconds=15").text()).isEqualTo("old\nnew\n");
  }

  @Test
  void log_whichIsFollowed_growsUntilItsEnd() {
    ContainerLog log = lines(1);

    try (TestClient.Events lines =
        api.watch("/api/v1/namespaces/default/pods/p/log?follow=true&tailLines=1")) {
      log.line("{\"type\":\"A\"}");
      log.line("{\"type\":\"B\"}");
      log.end();

      assertThat(lines.code()).isEqualTo(200);
    }
    assertThat(get("p/log?follow=true").text()).endsWith("{\"type\":\"B\"}\n");
  }

  @Test
  void log_ofARestartedContainer_hasThePreviousLines() throws IOException {
    ContainerLog log = lines(1);
    assertThat(get("p/log?previous=true").message())
        .isEqualTo("previous terminated container \"c\" in pod \"p\" not found");

    log.restart();
    try (OutputStream stream = log.stream()) {
      stream.write("again\nand".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(get("p/log?previous=true&follow=true").text()).isEqualTo("line 0\n");
    assertThat(get("p/log").text()).isEqualTo("again\nand\n");
    assertThat(log.reader().lines()).hasSize(2);
  }

  @Test
  void log_ofAContainerThatHasNotStarted_isRefused() {
    server.put(pod("{phase: Pending}"));
    assertThat(get("p/log").code()).isEqualTo(400);
    assertThat(get("p/log").message())
        .isEqualTo("container \"c\" in pod \"p\" is waiting to start: ContainerCreating");

    server.put(
        pod("{containerStatuses: [{name: c, state: {waiting: {reason: ImagePullBackOff}}}]}"));
    assertThat(get("p/log").message())
        .isEqualTo(
            "container \"c\" in pod \"p\" is waiting to start: trying and failing to pull image");

    server.put(pod("{containerStatuses: [{name: c, state: {terminated: {exitCode: 0}}}]}"));
    assertThat(get("p/log?follow=true").code()).isEqualTo(200);
  }

  @Test
  void connections_ofAPodThatDoesNotRun_areRefused() {
    server.put(pod("{phase: Succeeded}"));

    String exec = "/api/v1/namespaces/default/pods/p/exec?command=x&stdout=true";
    assertThat(upgrade(exec).message())
        .isEqualTo(
            "Internal error occurred: unable to upgrade connection: container not found (\"c\")");
    assertThat(upgrade("/api/v1/namespaces/default/pods/p/portforward?ports=80").code())
        .isEqualTo(500);
    kubelet.runPod("default", "p", "c");
    assertThat(get("p/exec?command=x&stdout=true").message()).isEqualTo("Upgrade request required");
    assertThat(upgrade(exec.replace("stdout", "x")).message())
        .isEqualTo("you must specify at least 1 of stdin, stdout, stderr");
  }

  private static Answer upgrade(String path) {
    return api.get(
        path,
        "Connection",
        "Upgrade",
        "Upgrade",
        "websocket",
        "Sec-WebSocket-Version",
        "13",
        "Sec-WebSocket-Key",
        "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol",
        "v5.channel.k8s.io, v4.channel.k8s.io");
  }

  @Test
  void exec_needsTheVerbCreateToo() {
    lines(0);
    server.put(
        Unstructured.parseYaml(
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name:"
                    + " r}, rules: [{apiGroups: [''], resources: [pods/exec], verbs: [get]}]}")
            .get(0),
        Unstructured.parseYaml(
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata:"
                    + " {name: b}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind:"
                    + " ClusterRole, name: r}, subjects: [{apiGroup: rbac.authorization.k8s.io,"
                    + " kind: User, name: eve}]}")
            .get(0));

    Answer refused =
        api.get(
            "/api/v1/namespaces/default/pods/p/exec?command=x&stdout=true",
            "Impersonate-User",
            "eve");

    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message())
        .contains("User \"eve\" cannot create resource \"pods/exec\" in API group \"\"");
  }

  @Test
  void programs_areFoundByTheirPlaces_theLastOneFirst() {
    ContainerProgram any = ContainerProgram.exits(1);
    ContainerProgram named = ContainerProgram.exits(2);
    ContainerProgram one = ContainerProgram.exits(3);
    PortProgram echo = PortProgram.echo();
    kubelet.container("*", any);
    kubelet.container("c", named);
    kubelet.container("default", "p", "c", one);
    kubelet.port("default", "p", 80, echo);

    assertThat(kubelet.program("default", "p", "c")).contains(one);
    assertThat(kubelet.program("default", "q", "c")).contains(named);
    assertThat(kubelet.program("default", "q", "d")).contains(any);
    assertThat(kubelet.portProgram("default", "p", 80)).contains(echo);
    assertThat(kubelet.portProgram("default", "q", 80)).isEmpty();
    assertThatThrownBy(() -> kubelet.port(0, echo)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> kubelet.protocols("v6"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("v5.channel.k8s.io");
  }

  private static Unstructured pod(String status) {
    return Unstructured.parseYaml(
            "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: {nodeName:"
                + " node-1, containers: [{name: c}]}, status: "
                + status
                + "}")
        .get(0);
  }
}
