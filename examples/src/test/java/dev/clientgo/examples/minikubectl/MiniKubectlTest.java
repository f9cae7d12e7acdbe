package dev.clientgo.examples.minikubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the output to that of kubectl 1.32 against the same server. */
final class MiniKubectlTest {

  private static final String MANIFESTS =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings, labels: {app: web}}
      data: {level: debug}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {app: web}}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: nginx}]}
      """;

  @TempDir private Path folder;

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();
  private Path manifests = Path.of("");

  @BeforeEach
  void writeManifests() throws Exception {
    manifests = Files.writeString(folder.resolve("web.yaml"), MANIFESTS);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private int run(String command) {
    out = new StringWriter();
    err = new StringWriter();
    return MiniKubectl.run(
        client, new PrintWriter(out), new PrintWriter(err), command.strip().split(" "));
  }

  private void apply() {
    assertThat(run("apply -f " + manifests)).as(err.toString()).isZero();
  }

  @Test
  void apply_newObjects_tellsOfEach() {
    apply();

    assertThat(out.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.endsWith(" created"))
        .anyMatch(line -> line.contains("/settings"));
  }

  @Test
  void apply_fileMissing_failsAndNamesIt() {
    assertThat(run("apply -f no/such.yaml")).isEqualTo(1);
    assertThat(err.toString()).startsWith("error: ").contains("no/such.yaml");
  }

  @Test
  void get_shortName_printsATable() {
    apply();

    assertThat(run("get deploy")).isZero();
    assertThat(out.toString())
        .matches(
            """
            NAME   READY   UP-TO-DATE   AVAILABLE   AGE
            web    0/2     0            0           \\d+s
            """);
  }

  @Test
  void get_wide_hasMoreColumns() {
    apply();

    assertThat(run("get deployment/web -o wide")).isZero();
    assertThat(out.toString()).contains("CONTAINERS   IMAGES   SELECTOR").contains("app=web");
  }

  @Test
  void get_allNamespacesAndSelector_printsTheNamespace() {
    apply();

    assertThat(run("get cm -A -l app=web")).isZero();
    assertThat(out.toString())
        .matches(
            """
            NAMESPACE   NAME       DATA   AGE
            default     settings   1      \\d+s
            """);
    assertThat(run("get cm -A -l app=other")).isZero();
    assertThat(err).hasToString("No resources found\n");
  }

  @Test
  void get_nothing_saysSoAsKubectlDoes() {
    assertThat(run("get pods -n shop")).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(err).hasToString("No resources found in shop namespace.\n");
  }

  @Test
  void get_yaml_isOneObject() {
    apply();

    assertThat(run("get cm settings -o yaml")).isZero();
    assertThat(out.toString())
        .startsWith("apiVersion: v1\ndata:\n  level: debug\nkind: ConfigMap\nmetadata:\n")
        .doesNotContain("managedFields");
  }

  @Test
  void get_jsonOfSeveral_isAList() {
    apply();

    assertThat(run("get cm -o json")).isZero();
    assertThat(out.toString())
        .startsWith("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        {\n")
        .endsWith("    \"kind\": \"List\"\n}\n");
  }

  @Test
  void get_unknownType_fails() {
    assertThat(run("get frobs")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("error: the server doesn't have a resource type: ")
        .contains("\"frobs\"");
  }

  @Test
  void get_unknownName_fails() {
    assertThat(run("get pods web-0")).isEqualTo(1);
    assertThat(err).hasToString("Error from server (NotFound): pods \"web-0\" not found\n");
  }

  @Test
  void scaleAndRestart_deployment_printAsKubectlDoes() {
    apply();

    assertThat(run("scale deploy/web --replicas=3")).isZero();
    assertThat(out).hasToString("deployment.apps/web scaled\n");
    assertThat(run("rollout restart deployment web")).isZero();
    assertThat(out).hasToString("deployment.apps/web restarted\n");
    assertThat(run("get deploy web -o yaml")).isZero();
    assertThat(out.toString()).contains("replicas: 3", "kubectl.kubernetes.io/restartedAt");
  }

  @Test
  void scale_noReplicas_failsAndNamesTheOption() {
    apply();

    assertThat(run("scale deploy/web")).isEqualTo(1);
    assertThat(err.toString()).startsWith("error: ").contains("--replicas");
  }

  @Test
  void waitAndStatus_deploymentDoesNotBecomeReady_fail() {
    apply();

    assertThat(run("wait deploy/web --for=condition=Available --timeout=10ms")).isEqualTo(1);
    assertThat(err.toString()).contains("condition=Available");
    assertThat(run("rollout status deploy/web --timeout=10ms")).isEqualTo(1);
    assertThat(err.toString()).contains("Waiting for deployment");
  }

  @Test
  void wait_jsonPath_isMet() {
    apply();

    assertThat(run("wait cm settings --for=jsonpath={.data.level}=debug")).isZero();
    assertThat(out).hasToString("configmap/settings condition met\n");
  }

  @Test
  void delete_object_isGone() {
    apply();

    assertThat(run("delete cm settings")).isZero();
    assertThat(out).hasToString("configmap \"settings\" deleted\n");
    assertThat(run("delete cm/settings")).isEqualTo(1);
    assertThat(err.toString()).startsWith("Error from server (NotFound): ");
  }

  @Test
  void run_wrongUsage_failsAndSaysWhy() {
    assertThat(run("get pods --bogus")).isEqualTo(1);
    assertThat(err.toString()).contains("--bogus");
    assertThat(run("delete cm")).isEqualTo(1);
    assertThat(err.toString()).contains("TYPE/NAME");
  }

  @Test
  void help_listsTheVerbs() {
    assertThat(run("help")).isZero();
    assertThat(out.toString().lines())
        .hasSize(9)
        .contains("apply -f FILE", "logs POD [-c NAME]", "rollout restart TYPE/NAME");
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("rollout status TYPE/NAME");
  }

  @Test
  void verb_thatIsNotHere_isNamedWithThoseThatAre() {
    for (String command : List.of("frob pods x", "frob", "describe pod web", "rollout undo web")) {
      assertThat(run(command)).isEqualTo(1);
      assertThat(err.toString())
          .startsWith("error: unknown command \"" + command)
          .contains("apply -f FILE\ndelete TYPE/NAME\n", "\nrollout restart TYPE/NAME\n");
    }
    assertThat(run("get cm x -o table")).isEqualTo(1);
    assertThat(err).hasToString("error: unknown output \"table\"; there are json, wide and yaml\n");
    assertThat(run("apply")).isEqualTo(1);
    assertThat(err).hasToString("error: name the file: apply -f FILE\n");
  }

  @Test
  void logs_ofAPod_printsThem() {
    server.kubelet().runPod("default", "web-0", "main");
    server.kubelet().log("default", "web-0", "main").line("ready");

    assertThat(run("logs web-0")).as(err.toString()).isZero();
    assertThat(out).hasToString("ready\n");
    assertThat(run("logs pod/web-0 -c main")).isZero();
    assertThat(out).hasToString("ready\n");
    assertThat(run("logs web-9")).isEqualTo(1);
    assertThat(err).hasToString("Error from server (NotFound): pods \"web-9\" not found\n");
  }

  @Test
  void logs_ofSomethingElse_areRefused() {
    for (String command : List.of("logs", "logs deploy/web", "logs -f web-0")) {
      assertThat(run(command)).isEqualTo(1);
      assertThat(err)
          .hasToString("error: logs prints the log of one pod until now: logs POD [-c NAME]\n");
    }
  }

  @Test
  void runAll_commandsOfAText_returnsTheLastStatus() throws Exception {
    BufferedReader commands = new BufferedReader(new StringReader("get ns\n\nget frobs\n"));

    int status =
        MiniKubectlLesson.runAll(client, commands, new PrintWriter(out), new PrintWriter(err));

    assertThat(status).isEqualTo(1);
    assertThat(out.toString()).contains("kube-system", "Active");
  }
}
