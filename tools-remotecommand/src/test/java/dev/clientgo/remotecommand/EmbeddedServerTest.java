package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.kubelet.PortProgram;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract with the embedded server, whose containers are processes of this machine. */
final class EmbeddedServerTest extends RemoteCommandContract {

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    server.kubelet().runPod("default", "p", "c");
    server.kubelet().container("c", ContainerProgram.localProcess());
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Override
  RESTClient client() {
    return client;
  }

  @Test
  void v4_ofAnOldServer_hasNoEndOfInput() throws Exception {
    try (EmbeddedApiServer old = EmbeddedApiServer.start();
        RESTClient oldClient = RESTClient.create(old.restConfig())) {
      old.kubelet().protocols("v4.channel.k8s.io");
      old.kubelet().runPod("default", "p", "c");
      old.kubelet().container("c", ContainerProgram.localProcess());
      RemoteCommand cat = RemoteCommand.exec(oldClient, "default", "p", "head", "-n", "1");

      try (RemoteProcess process = cat.withInput().start()) {
        process.outputStream().write('x');
        assertThatThrownBy(() -> process.outputStream().close())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("v4.channel.k8s.io, in which input has no end");
      }
      try (RemoteProcess process = cat.withInput().start()) {
        process.outputStream().write('\n');
        assertThat(process.waitFor()).isZero();
      }
      assertThat(RemoteCommand.exec(oldClient, "default", "p", "echo", "v4").run().text())
          .isEqualTo("v4\n");
      assertThatThrownBy(() -> cat.run(new byte[1]))
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("Kubernetes 1.30");
    }
  }

  @Test
  void run_ofAUserWithoutRights_saysWhichAreNeeded() {
    try (RESTClient nobody = RESTClient.create(server.restConfig("nobody", List.of()))) {
      assertThatThrownBy(() -> RemoteCommand.exec(nobody, "default", "p", "true").run())
          .isInstanceOf(ApiStatusException.class)
          .hasMessageContaining("a WebSocket needs the verbs get and create for pods/exec");
    }
  }

  @Test
  void run_ofAnImpersonatedUser_hasThatUsersRights() throws Exception {
    server.put(
        Unstructured.parseYaml(
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: runs,"
                    + " namespace: default}, rules: [{apiGroups: [''], resources: [pods/exec],"
                    + " verbs: [get, create]}]}")
            .get(0),
        Unstructured.parseYaml(
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name:"
                    + " runs, namespace: default}, roleRef: {apiGroup: rbac.authorization.k8s.io,"
                    + " kind: Role, name: runs}, subjects: [{apiGroup: rbac.authorization.k8s.io,"
                    + " kind: Group, name: runners}]}")
            .get(0));

    try (RESTClient jane = RESTClient.create(server.restConfig("jane", List.of("runners")))) {
      assertThat(RemoteCommand.exec(jane, "default", "p", "echo", "jane").run().text())
          .isEqualTo("jane\n");
    }
    assertThat(server.requests(request -> request.user().name().equals("jane")))
        .singleElement()
        .satisfies(request -> assertThat(request.user().groups()).contains("runners"));
  }

  @Test
  void start_withATerminal_tellsItsSize() throws Exception {
    server.kubelet().runPod("default", "sized", "sized");
    server
        .kubelet()
        .container(
            "sized",
            io -> {
              CountDownLatch resized = new CountDownLatch(1);
              io.onResize(
                  (columns, rows) -> {
                    if (columns == 121 && rows == 43) {
                      resized.countDown();
                    }
                  });
              resized.await();
              io.stderr().write("resized".getBytes(UTF_8));
              return io.isTerminal() ? 5 : 0;
            });

    try (RemoteProcess process =
        RemoteCommand.exec(client, "default", "sized", "x").withTerminal(80, 24).start()) {
      process.resize(121, 43);

      assertThat(new String(process.inputStream().readAllBytes(), UTF_8)).isEqualTo("resized");
      assertThat(process.waitFor()).isEqualTo(5);
    }
  }

  @Test
  void size_whereDigitsAreNotThoseOfJson_isJson() throws Exception {
    server.kubelet().runPod("default", "abroad", "abroad");
    server
        .kubelet()
        .container(
            "abroad",
            io -> {
              CompletableFuture<String> size = new CompletableFuture<>();
              io.onResize((columns, rows) -> size.complete(columns + "x" + rows));
              io.print(size.get(30, TimeUnit.SECONDS));
              return 0;
            });
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      assertThat(
              RemoteCommand.exec(client, "default", "abroad", "x")
                  .withTerminal(80, 24)
                  .run()
                  .text())
          .isEqualTo("80x24");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void programs_thatAreReadyMade_endAsTheySay() throws Exception {
    server.kubelet().runPod("default", "q", "q");
    RemoteCommand command = RemoteCommand.exec(client, "default", "q", "x");

    server.kubelet().container("q", ContainerProgram.exits(255));
    assertThat(command.run().exitCode()).isEqualTo(255);
    server.kubelet().container("q", ContainerProgram.killedBy(9));
    assertThat(command.run().signal()).isEqualTo(OptionalInt.of(9));
    server.kubelet().container("q", ContainerProgram.prints("text"));
    assertThat(command.run().text()).isEqualTo("text");
    server.kubelet().container("q", ContainerProgram.fails("no such file"));
    assertThatThrownBy(command::run)
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("error executing command in container: no such file");
    server.kubelet().container("q", ContainerProgram.cuts());
    assertLost(command);
    server.kubelet().container("q", ContainerProgram.echo());
    assertThat(RemoteCommand.attach(client, "default", "q").run(new byte[100]).bytes())
        .hasSize(100);
    server.faults().on(request -> request.subresource().equals("exec")).cutAfter(10);
    assertLost(command);
  }

  private static void assertLost(RemoteCommand command) {
    assertThatThrownBy(() -> command.run(new byte[100]))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_LOST));
  }

  @Test
  void close_whileCommandsRun_endsTheirPrograms() throws Exception {
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch ended = new CountDownLatch(2);
    EmbeddedApiServer other = EmbeddedApiServer.start();
    try (RESTClient otherClient = RESTClient.create(other.restConfig())) {
      other.kubelet().runPod("default", "p", "c");
      other
          .kubelet()
          .container(
              "c",
              io -> {
                running.countDown();
                try {
                  new CountDownLatch(1).await(); // Reads no input.
                  return 0;
                } finally {
                  ended.countDown();
                }
              });
      RemoteCommand command = RemoteCommand.exec(otherClient, "default", "p", "x");
      RemoteProcess first = command.withInput().start();
      RemoteProcess second = command.start();
      running.await();
      second.close();
      first.outputStream().write(new byte[50_000]);
      other.close();

      ended.await();
      assertThatThrownBy(first::waitFor).isInstanceOf(TransportException.class);
    } finally {
      other.close();
    }
  }

  @Test
  void example_ofTheTestingPage_runs() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      FakeKubelet kubelet = server.kubelet();
      kubelet.runPod("default", "db-0", "postgres");
      kubelet.container(
          "postgres",
          io -> {
            io.print("dump of " + io.command().get(1));
            return 0;
          });
      kubelet.log("default", "db-0", "postgres").line("ready");
      kubelet.port(5432, PortProgram.echo());

      CommandResult dump = RemoteCommand.exec(client, "default", "db-0", "pg_dump", "shop").run();

      assertThat(dump.text()).isEqualTo("dump of shop");
    }
  }
}
