package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.KubeCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lessons that show one program each, on the embedded server. */
final class LessonsTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Main.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void run_noLesson_listsAll() {
    assertThat(run()).isZero();
    assertThat(out.toString())
        .contains(
            "pod-informer",
            "namespaces",
            "foo-controller",
            "shards",
            "custom-resource",
            "pod-service",
            "mini-kubectl",
            "pod-shell",
            "pod-logs",
            "pod-forward",
            "pod-copy",
            "failures",
            "live-view",
            "factory",
            "raw-api",
            "reflector",
            "delta-queues",
            "indexer",
            "shared-informer",
            "work-queue",
            "kinds",
            "rest-mapper",
            "clients",
            "controller",
            "web-service",
            "leader-election",
            "simulation");
  }

  @Test
  void shards_embedded_areTakenOver() {
    assertThat(run("shards")).as(err.toString()).isZero();
    // The names of the replicas decide how many slots each has.
    assertThat(out.toString())
        .containsSubsequence(
            "three replicas share the slots: {a=",
            ", b=",
            ", c=",
            "the orders are with: {a=",
            "c dies",
            "two share them after the lease duration: {a=",
            "b leaves",
            "one has them at once: {a=256}",
            "the orders are with: {a=60}");
  }

  @Test
  void controller_withTheRuntime_doesTheSame() {
    assertThat(run("controller", "--runtime")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "Deployment web: 1 replicas",
            "Deployment web: 10 replicas",
            "Deployment web: 10 replicas, the same object: false",
            "Deployment web: 2 replicas");
  }

  @Test
  void customResource_embedded_tellsOfEachStep() {
    assertThat(run("custom-resource")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "created: example, generation 1,",
            "scaled: example, generation 2,",
            "replicas=3",
            "status set: example, generation 2,",
            "availableReplicas=3",
            "refused: ",
            "should be less than or equal to 10",
            "deletion is held up by samplecontroller.k8s.io/tidy-up: example, generation 3,",
            "gone: true");
  }

  @Test
  void namespaces_embedded_followsOnlyTheseAndTheSelected() {
    assertThat(run("namespaces", "--for", "0.1s")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains(
            "added Pod default/web",
            "added Foo default/example",
            "default: 1 web pods, 1 Foos",
            "added Pod kube-system/web",
            "kube-system: 1 web pods, 1 Foos",
            "no longer follows kube-system")
        .doesNotContain("database", "kube-public");
  }

  @Test
  void podService_embedded_answersFromTheCache() throws Exception {
    try (RunningLesson lesson = RunningLesson.start("pod-service")) {
      lesson.await("Serving the pods of an embedded API server", "curl -i", "/watch", "/healthz");
      Matcher url = Pattern.compile("http://localhost:\\d+(?=/healthz)").matcher(lesson.printed());
      assertThat(url.find()).isTrue();
      HttpRequest watch =
          HttpRequest.newBuilder(URI.create(url.group() + "/watch?label=app%3Djob")).build();

      try (Stream<String> lines =
          HttpClient.newHttpClient().send(watch, BodyHandlers.ofLines()).body()) {
        assertThat(lines.filter(line -> line.contains("\"phase\":\"Succeeded\"")).findFirst())
            .isPresent();
      }
      lesson.end();
    }
  }

  @Test
  void failures_embedded_areReportedAndSurvived() {
    assertThat(run("failures")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "== The kubeconfig is not YAML",
            "load() throws: ",
            "== The server forbids to list pods",
            "awaitSynced returns: pods (",
            "cannot list resource",
            "then: the informer is synced",
            "== A watch is cut",
            "event: added default/web",
            "== The server goes away",
            "get throws: GET http://127.0.0.1:",
            "event: added default/web-2",
            "== A pod is deleted while the server is away",
            "event: deleted default/web, noticed by a list",
            "== An object has a field of a wrong type",
            "health: 1 object omitted: default/broken",
            "== A handler throws",
            "health: Handler[name=pods handler writes files, ");
  }

  @Test
  void podShell_kubeApiServer_saysThatNoPodRuns() {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");

    assertThat(run("pod-shell", "--kube-apiserver")).isOne();
    assertThat(err.toString()).contains("--kube-cluster");
  }

  /** The servers that run pods: by themselves, or in processes of the lesson. */
  private static Stream<List<String>> podServers() {
    return Stream.of(List.of(), List.of("--kube-cluster"));
  }

  private int runPod(String lesson, List<String> server) {
    assumeTrue(
        !server.contains("--kube-cluster") || KubeCluster.isAvailable(),
        "build it with envtest/kube-apiserver/build");
    return run(Stream.concat(Stream.of(lesson), server.stream()).toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("podServers")
  void podLogs_printsEachLineOnce(List<String> server) {
    assertThat(runPod("pod-logs", server)).as(err.toString()).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("web-0: ")))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 10).mapToObj(i -> "web-0: line " + i).toList());
    assertThat(out.toString()).contains("(the connection broke)", "the container has ended");
  }

  @ParameterizedTest
  @MethodSource("podServers")
  void podLogs_ofASelector_followsPodsThatCome(List<String> server) {
    List<String> arguments = Stream.concat(Stream.of("-l", "app=web"), server.stream()).toList();

    assertThat(runPod("pod-logs", arguments)).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "web-0 main: line 1",
            "web-0 main: line 2",
            "web-0 main: line 3",
            "(web-0 has ended, another pod starts)",
            "web-1 main: line 1",
            "web-1 main: line 2",
            "web-1 main: line 3",
            "(web-1 has ended)");
  }

  @Test
  void podLogs_optionsThatExcludeOneAnother_areRefused() {
    assertThat(run("pod-logs", "-l", "app=web", "web-0")).isOne();
    assertThat(err.toString()).contains("name a pod or a --selector, not both");
    assertThat(run("pod-logs", "-l", "app in (")).isOne();
    assertThat(err.toString()).contains("--selector: ");
    assertThat(run("pod-logs", "-l", "app=db")).isOne();
    assertThat(err.toString()).contains("the pods of this lesson have the label app=web");
  }

  @ParameterizedTest
  @MethodSource("podServers")
  void podCopy_throughCuts_bringsAllBack(List<String> server) {
    assertThat(runPod("pod-copy", server)).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "(the connection broke)",
            "up: 2 files, 8388622 bytes",
            "in the pod: film.mp4 index.html latest",
            "(the connection broke)",
            "down: 2 files, 8388622 bytes",
            "the same: true",
            "what is not there: CopyException");
  }

  @ParameterizedTest
  @MethodSource("podServers")
  void podForward_reachesThePodInEachWay(List<String> server) {
    assertThat(runPod("pod-forward", server)).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "without a local port: 200 hello from /direct",
            "through a local port: 200 hello from /local",
            "(the connections broke)",
            "through a new connection: 200 hello from /again",
            "where nothing listens: PortForwardException");
  }

  @ParameterizedTest
  @MethodSource("podServers")
  void podShell_tellsTheEndsApart(List<String> server) {
    assertThat(runPod("pod-shell", server)).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsSubsequence(
            "stdout: to stdout",
            "stderr: to stderr",
            "exit code: 3",
            "sorted: a b c",
            "gave up: TIMEOUT",
            "3 squared is 9",
            "the shell ended with 0");
  }
}
