package dev.clientgo.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {

  private static final String SUMMARY =
      "Saw \\d+ pods added, \\d+ updated, \\d+ deleted, \\d+ in the cache";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int run(String... args) {
    return Main.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private Path file(String content) throws Exception {
    return Files.writeString(folder.resolve("kubeconfig"), content);
  }

  @Test
  void run_noLesson_listsThem() {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("pod-informer", "Follows pods", "foo-controller");
  }

  @Test
  void podInformer_embedded_printsEvents() throws Exception {
    try (RunningLesson lesson = RunningLesson.start("pod-informer")) {
      lesson.await(
          "Following pods of an embedded API server",
          "added     default/web-1",
          "updated   default/web-1",
          "Running");

      assertThat(lesson.end()).containsPattern(SUMMARY);
    }
  }

  @Test
  void podInformer_kubeApiServer_printsEvents() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");

    try (RunningLesson lesson = RunningLesson.start("pod-informer", "--kube-apiserver")) {
      lesson.await("a real kube-apiserver", "added     default/web-1");

      assertThat(lesson.end()).containsPattern(SUMMARY);
    }
  }

  @Test
  void podInformer_forATime_endsByItself() {
    assertThat(run("pod-informer", "--for", "1s")).as(err.toString()).isZero();
    assertThat(out.toString()).containsPattern(SUMMARY);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void podInformer_kubeconfig_followsThatCluster() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start()) {
      Path kubeconfig = file(server.kubeconfig());

      assertThat(run("pod-informer", "--kubeconfig", kubeconfig.toString(), "--for", "1s"))
          .as(err.toString())
          .isZero();
      assertThat(out.toString()).contains("the cluster at " + server.url());
    }
  }

  @Test
  void podInformer_kubeconfigMissing_saysSoInOneLine() {
    assertThat(run("pod-informer", "--kubeconfig", "no/such/file")).isEqualTo(1);
    assertThat(err.toString()).startsWith("pod-informer: ").contains("no/such/file");
    assertThat(err.toString().strip().lines()).hasSize(1);
  }

  @Test
  void podInformer_kubeconfigMalformed_saysWhereInOneLine() throws Exception {
    Path kubeconfig = file("clusters: [");

    assertThat(run("pod-informer", "--kubeconfig", kubeconfig.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(kubeconfig.toString());
    assertThat(err.toString().strip().lines()).hasSize(1);
  }

  @Test
  void podInformer_nobodyListens_saysSoInOneLine() throws Exception {
    // A port that is taken and not listened on refuses, and no other process gets it meanwhile.
    try (Socket taken = new Socket();
        EmbeddedApiServer server = EmbeddedApiServer.start()) {
      taken.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
      String url = "http://127.0.0.1:" + taken.getLocalPort();
      Path kubeconfig = file(server.kubeconfig().replace(server.url().toString(), url));

      assertThat(run("pod-informer", "--kubeconfig", kubeconfig.toString())).isEqualTo(1);
      assertThat(err.toString()).contains(url);
      assertThat(err.toString().strip().lines()).hasSize(1);
    }
  }

  @Test
  void podInformer_certificateNotTrusted_saysSo() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start();
        EmbeddedApiServer other = EmbeddedApiServer.builder().tls(true).start()) {
      String foreign = server.kubeconfig().replace(server.url().toString(), other.url().toString());

      assertThat(run("pod-informer", "--kubeconfig", file(foreign).toString())).isEqualTo(1);
      assertThat(err.toString()).contains("certificate");
      assertThat(err.toString().strip().lines()).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("fooControllers")
  void fooController_bothSteps_keepADeploymentForEachFoo(List<String> arguments) throws Exception {
    assumeTrue(
        !arguments.contains("--kube-apiserver") || KubeApiServer.isAvailable(),
        "build it with envtest/kube-apiserver/build");

    try (RunningLesson lesson = RunningLesson.start(arguments.toArray(String[]::new))) {
      lesson.await(
          "Controlling the Foos of ",
          "user: creates Foo default/example-1 of 1",
          "user: scales Foo default/example-1 to 3",
          "user: deletes Deployment default/example-1 by mistake",
          "user: deletes Foo default/example-1");
      // Two informers print what they see, so only the order for each kind is certain.
      lesson.await(
          "cluster: Deployment default/example-1 is created, replicas: 1",
          "cluster: Deployment default/example-1 is scaled, replicas: 3",
          "cluster: Deployment default/example-1 is deleted",
          "cluster: Deployment default/example-1 is created, replicas: 3",
          "cluster: Deployment default/example-1 is deleted");
      lesson.await(
          "cluster: Foo default/example-1 has available replicas: 1",
          "cluster: Foo default/example-1 has available replicas: 3",
          "cluster: Foo default/example-1 is deleted");

      assertThat(lesson.end()).doesNotContain("!");
    }
  }

  private static Stream<List<String>> fooControllers() {
    return Stream.of(
        List.of("foo-controller"),
        List.of("foo-controller", "--runtime"),
        List.of("foo-controller", "--kube-apiserver"),
        List.of("foo-controller", "--runtime", "--kube-apiserver"));
  }

  @Test
  void fooController_forATime_endsByItself() {
    assertThat(run("foo-controller", "--for", "1s")).as(err.toString()).isZero();
    assertThat(out.toString()).startsWith("Controlling the Foos of ").doesNotContain("!");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void fooController_clusterWithoutFoos_saysHowToInstallThem() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      Path kubeconfig = file(server.kubeconfig());

      assertThat(run("foo-controller", "--kubeconfig", kubeconfig.toString())).isEqualTo(1);
      assertThat(err.toString())
          .startsWith("foo-controller: the cluster does not know Foos: kubectl apply -f ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pod-infromer", "nonsense", "--nonsense"})
  void run_unknownLesson_listsThem(String name) {
    assertThat(run(name)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("there is no lesson \"" + name + "\"; the lessons are below")
        .contains("pod-informer", "Follows pods", "failures");
  }

  @Test
  void podInformer_durationThatIsNone_isRefusedWithUsage() {
    assertThat(run("pod-informer", "--for", "5x")).isEqualTo(2);
    assertThat(err.toString()).contains("'5x' is not a duration such as 10s");
  }

  /** As on Ctrl-C; but a shell may start its background jobs deaf to that one signal. */
  @Test
  void podInformer_signal_endsInOrder() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "pod-informer")
            .redirectErrorStream(true)
            .start();
    try {
      Printed printed = new Printed();
      Thread copying = copy(process.getInputStream(), printed);
      printed.await("added     default/web-1");

      process.toHandle().destroy();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(printed.toString()).isTrue();
      copying.join();
      assertThat(printed.toString()).containsPattern(SUMMARY).doesNotContain("cut off");
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Thread copy(InputStream from, Writer to) {
    Thread thread =
        new Thread(
            () -> {
              try (Reader reader = new InputStreamReader(from, UTF_8)) {
                reader.transferTo(to);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            "copy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
