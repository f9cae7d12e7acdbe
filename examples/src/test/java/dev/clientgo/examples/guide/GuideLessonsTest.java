package dev.clientgo.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.examples.customresource.CustomResourceLesson;
import dev.clientgo.examples.foocontroller.ControllerLesson;
import dev.clientgo.examples.guide.GuidePage.Fence;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.podservice.WebServiceLesson;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The examples of the guide print what its pages show, on the embedded server and a real one. */
final class GuideLessonsTest {

  /** An output that a real server does not lead to, because it cannot be made to fail so. */
  private static final String EMBEDDED_ONLY = " on the embedded server";

  /** A lesson on a server that runs already. */
  @FunctionalInterface
  private interface OnServer {
    void run(Cluster cluster, RESTClient client, PrintWriter out) throws Exception;
  }

  /**
   * An example of the guide.
   *
   * @param onServer runs it on a given server, null if it needs none
   */
  private record Example(Supplier<Callable<Integer>> command, @Nullable OnServer onServer) {

    static Example local(Supplier<Callable<Integer>> command) {
      return new Example(command, null);
    }

    String name() {
      return new CommandLine(command.get()).getCommandName();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  static Stream<Example> examples() {
    return Stream.of(
        new Example(FactoryLesson::new, (k, c, out) -> new FactoryLesson().run(k, c, out)),
        new Example(RawApiLesson::new, (k, c, out) -> new RawApiLesson().run(k, c, out)),
        new Example(KindsLesson::new, (k, c, out) -> new KindsLesson().run(k, c, out)),
        new Example(RestMapperLesson::new, (k, c, out) -> new RestMapperLesson().run(k, c, out)),
        new Example(ReflectorLesson::new, (k, c, out) -> new ReflectorLesson().run(k, c, out)),
        Example.local(DeltaQueuesLesson::new),
        Example.local(IndexerLesson::new),
        new Example(
            SharedInformerLesson::new, (k, c, out) -> new SharedInformerLesson().run(k, c, out)),
        Example.local(WorkQueueLesson::new),
        new Example(ClientsLesson::new, (k, c, out) -> new ClientsLesson().run(k, c, out)),
        new Example(ControllerLesson::new, (k, c, out) -> new ControllerLesson().run(k, c, out)),
        new Example(
            LeaderElectionLesson::new, (k, c, out) -> new LeaderElectionLesson().run(k, c, out)),
        Example.local(CustomResourceLesson::new),
        Example.local(SimulationLesson::new),
        new Example(WebServiceLesson::new, (k, c, out) -> new WebServiceLesson().run(k, c, out)));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void example_byItself_printsWhatThePagesShow(Example example) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int status =
        new CommandLine(example.command.get())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute();

    assertThat(status).as(err.toString()).isZero();
    List<Fence> shown =
        shown(example.name()).filter(fence -> !fence.of().endsWith(EMBEDDED_ONLY)).toList();
    assertThat(shown).as("outputs in the guide").isNotEmpty();
    assertThat(shown(example.name()))
        .allSatisfy(fence -> assertPrinted(example, fence, out.toString()));
  }

  /** One server for all of them. */
  @Test
  void examples_kubeApiServer_printTheSame() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");

    try (KubeApiServer server = KubeApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      for (Example example : examples().filter(e -> e.onServer != null).toList()) {
        server.reset();
        StringWriter out = new StringWriter();

        example.onServer.run(Cluster.of(server), client, new PrintWriter(out, true));

        assertThat(shown(example.name()).filter(fence -> !fence.of().endsWith(EMBEDDED_ONLY)))
            .allSatisfy(fence -> assertPrinted(example, fence, out.toString()));
      }
    }
  }

  @Test
  void guide_outputs_areThoseOfExamples() {
    List<String> names = examples().map(Example::name).toList();

    assertThat(GuideTest.pages().flatMap(page -> page.marked("output").stream()))
        .allSatisfy(fence -> assertThat(names).contains(fence.of().replace(EMBEDDED_ONLY, "")));
  }

  /** Returns the outputs of an example that the pages show; both languages show the same. */
  private static Stream<Fence> shown(String example) {
    return GuidePage.lessons("en").stream()
        .flatMap(page -> page.marked("output").stream())
        .filter(fence -> fence.of().replace(EMBEDDED_ONLY, "").equals(example));
  }

  private static void assertPrinted(Example example, Fence fence, String printed) {
    List<List<String>> parts =
        fence.parts().stream()
            .map(part -> part.stream().map(line -> normal(example, line)).toList())
            .toList();
    List<String> lines = printed.lines().map(line -> normal(example, line)).toList();
    assertThat(JavaSource.contains(lines, parts))
        .as("%s is not among what %s printed:%n%s", parts, example, printed)
        .isTrue();
  }

  /** Leaves out what depends on the server: the versions of objects and the sizes of chunks. */
  private static String normal(Example example, String line) {
    if (example.onServer == null) {
      return line;
    }
    return line.replaceAll(
            "(esourceVersion\":\"|esourceVersion=|@|version |bookmark |: \"|id: )\\d+", "$1#")
        .replaceAll("resource version: \\d+ \\(\\d+\\)", "resource version: #")
        .replaceAll("chunk of [1-9]\\d* bytes", "chunk of # bytes");
  }
}
