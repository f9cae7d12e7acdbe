package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.remotecommand.logs.LogLine;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.remotecommand.portforward.PortForwardContract;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract with upstream's kubelet behind the real API server. */
final class KubeClusterTest extends RemoteCommandContract {

  private static final String POD =
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i,"
          + " stdin: true, command: [sh, -c, 'while read line; do echo got $line; done']}]}}";

  private static KubeCluster cluster;
  private static RESTClient client;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
    cluster = KubeCluster.start();
    client = RESTClient.create(cluster.restConfig());
    ResourceClient<Unstructured> pods = client.dynamic(Pod.TYPE.resource()).inNamespace("default");
    pods.create(Unstructured.parseYaml(POD).get(0));
    pods.await(
        "p",
        pod -> pod.filter(found -> found.toJson().contains("\"ready\":true")).isPresent(),
        Duration.ofSeconds(60));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      client.close();
      cluster.close();
    }
  }

  @Override
  RESTClient client() {
    return client;
  }

  /** The contract of copies, with the same cluster. */
  @Nested
  final class Copies extends PodCopyContract {

    @Override
    RESTClient client() {
      return client;
    }
  }

  /** The ports of the pod, whose processes share this machine. */
  @Nested
  final class SpdyPorts extends PortForwardContract {
    @Override
    protected RESTClient client() {
      return client;
    }

    @Override
    protected boolean isSpdy() {
      return true;
    }
  }

  @Nested
  final class ChannelPorts extends PortForwardContract {
    @Override
    protected RESTClient client() {
      return client;
    }

    @Override
    protected boolean isSpdy() {
      return false;
    }
  }

  @Test
  void attach_toAContainerWithInput_isADialogue() throws Exception {
    try (RemoteProcess main =
        RemoteCommand.attach(client, "default", "p").inContainer("c").withInput().start()) {
      BufferedReader output = new BufferedReader(new InputStreamReader(main.inputStream(), UTF_8));
      main.outputStream().write("this\n".getBytes(UTF_8));

      assertThat(output.readLine()).isEqualTo("got this");
    }
  }

  @Test
  void start_withATerminal_hasItsSize() throws Exception {
    try (RemoteProcess shell = exec("sh").withInput().withTerminal(111, 33).start()) {
      BufferedReader output = new BufferedReader(new InputStreamReader(shell.inputStream(), UTF_8));
      shell.resize(121, 43);
      // The size arrives by another way than the input, and a prompt may stand before it.
      shell
          .outputStream()
          .write("until stty size | grep '43 121'; do :; done; exit 5\n".getBytes(UTF_8));

      assertThat(output.lines()).anySatisfy(line -> assertThat(line).endsWith("43 121"));
      assertThat(shell.waitFor()).isEqualTo(5);
    }
  }

  @Test
  void run_ofAUserWithoutRights_saysWhichAreNeeded() {
    try (RESTClient nobody =
        RESTClient.create(KubeConfig.parse(cluster.kubeconfig("nobody", List.of())).restConfig())) {
      assertThatThrownBy(() -> RemoteCommand.exec(nobody, "default", "p", "true").run())
          .isInstanceOf(ApiStatusException.class)
          .hasMessageContaining("a WebSocket needs the verbs get and create for pods/exec");
    }
  }

  @Test
  void logs_ofAContainer_areFollowedUntilItEnds() throws Exception {
    ResourceClient<Unstructured> pods = client.dynamic(Pod.TYPE.resource()).inNamespace("default");
    pods.create(
        Unstructured.parseYaml(
                "{apiVersion: v1, kind: Pod, metadata: {name: l}, spec: {restartPolicy: Never,"
                    + " containers: [{name: c, image: i, command: [sh, -c, 'for i in 1 2 3; do echo"
                    + " line $i; sleep 1; done']}]}}")
            .get(0));
    pods.await(
        "l",
        pod -> pod.filter(found -> found.toJson().contains("\"startedAt\"")).isPresent(),
        Duration.ofSeconds(60));
    PodLogs log = PodLogs.of(client, "default", "l").inContainer("c");

    try (LogLines lines = log.follow().resumedLines(Duration.ofMinutes(1))) {
      Instant before = Instant.MIN;
      for (int i = 1; i <= 3; i++) {
        LogLine line = lines.next().orElseThrow();
        assertThat(line.text()).isEqualTo("line " + i);
        assertThat(line.time().orElseThrow()).isAfter(before);
        before = line.time().get();
      }
      assertThat(lines.next()).isEmpty();
      assertThat(lines.next()).isEmpty();
    }
    try (LogLines last = log.tail(1).lines()) {
      assertThat(last.next().orElseThrow().text()).isEqualTo("line 3");
      assertThat(last.next()).isEmpty();
    }
    assertThatThrownBy(() -> log.inContainer("none").lines())
        .isInstanceOf(ApiStatusException.class);
  }
}
