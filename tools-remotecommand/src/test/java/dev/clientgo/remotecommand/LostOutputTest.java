package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.RESTClient;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that speaks {@code v5.channel.k8s.io} may report an exit code although it has lost
 * output, as kube-apiserver and the kubelet up to 1.36 do.
 */
@Timeout(60)
final class LostOutputTest {

  private static final int MUCH = 8 << 20;

  private static FakeKubelet.Script output(int bytes, CountDownLatch sent) {
    return output(bytes, 0, sent);
  }

  private static FakeKubelet.Script output(int bytes, int exitCode, CountDownLatch sent) {
    return connection -> {
      connection.upgrade("v5.channel.k8s.io");
      byte[] piece = new byte[32 * 1024];
      for (int left = bytes; left > 0; left -= piece.length) {
        connection.send(1, piece);
      }
      connection.exit(exitCode);
      sent.countDown();
      connection.awaitEnd();
    };
  }

  /** Only v4 is offered: a status in it comes from the container runtime, behind all output. */
  @Test
  void commandsWithoutInputOrOfAKnownLength_speakV4() throws Exception {
    FakeKubelet.Script script =
        connection -> {
          String offered = connection.headers().get("Sec-WebSocket-Protocol");
          connection.upgrade("v5.channel.k8s.io");
          connection.stdout(offered);
          connection.exit(0);
          connection.awaitEnd();
        };
    try (FakeKubelet kubelet = new FakeKubelet(script);
        RESTClient client = RESTClient.create(kubelet.config())) {
      RemoteCommand command = RemoteCommand.exec(client, "default", "p", "x");

      assertThat(command.run().text()).isEqualTo("v4.channel.k8s.io");
      assertThat(command.withInputLength(1).run(new byte[1]).text()).isEqualTo("v4.channel.k8s.io");
      assertThat(command.run(new byte[1]).text()).isEqualTo("v5.channel.k8s.io, v4.channel.k8s.io");
    }
  }

  /** Most shells take such a name for an option of {@code exec}. */
  @Test
  void commandOfAKnownLength_whoseNameBeginsWithADash_getsItsArguments(@TempDir Path tools)
      throws Exception {
    for (String name : List.of("bash", "head", "cat")) {
      Path there = Path.of("/bin", name);
      assumeTrue(Files.exists(there), "this machine has no " + there);
      Files.createSymbolicLink(tools.resolve(name.equals("bash") ? "sh" : name), there);
    }
    Path tool = Files.writeString(tools.resolve("-c"), "#!/bin/sh\necho \"$#$2\"; exec cat\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    try (FakeKubelet kubelet = new FakeKubelet(new LocalProcesses("v5.channel.k8s.io", tools));
        RESTClient client = RESTClient.create(kubelet.config())) {
      RemoteCommand command = RemoteCommand.exec(client, "default", "p", "-c", "--", " $x  'y'");

      assertThat(command.withInputLength(2).run("in".getBytes(UTF_8)).orThrow().text())
          .isEqualTo("2 $x  'y'\nin");
    }
  }

  @Test
  void success_afterMuchOutputInV5_isNotKnownToBeComplete() throws Exception {
    try (FakeKubelet kubelet = new FakeKubelet(output(MUCH, new CountDownLatch(1)));
        RESTClient client = RESTClient.create(kubelet.config())) {
      RemoteCommand command = RemoteCommand.exec(client, "default", "p", "x");

      assertThat(command.run().orThrow().bytes()).hasSize(MUCH);
      assertThatThrownBy(() -> command.run(new byte[0]))
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("whether the output is complete is not known");
      try (RemoteProcess process = command.withInput().start()) {
        assertThatThrownBy(() -> process.inputStream().readAllBytes())
            .hasMessageContaining("whether the output is complete is not known");
        assertThatThrownBy(process::waitFor).isInstanceOf(TransportException.class);
      }
    }
  }

  /** A server that has lost output has lost the exit code, too. */
  @Test
  void failure_afterMuchOutputInV5_isThatOfTheCommand() throws Exception {
    try (FakeKubelet kubelet = new FakeKubelet(output(MUCH, 3, new CountDownLatch(1)));
        RESTClient client = RESTClient.create(kubelet.config())) {
      CommandResult result = RemoteCommand.exec(client, "default", "p", "x").run(new byte[0]);

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.bytes()).hasSize(MUCH);
    }
  }

  @Test
  void result_tellsWhetherItsOutputIsConfirmed_alsoIfTheCallerAcceptsAny() throws Exception {
    try (FakeKubelet kubelet = new FakeKubelet(output(MUCH, new CountDownLatch(1)));
        RESTClient client = RESTClient.create(kubelet.config())) {
      RemoteCommand command =
          RemoteCommand.exec(client, "default", "p", "x").withUnconfirmedOutput();

      CommandResult result = command.run(new byte[0]);
      assertThat(result.orThrow().bytes()).hasSize(MUCH);
      assertThat(result.isOutputConfirmed()).isFalse();
      assertThat(command.run().isOutputConfirmed()).isTrue();
      assertThat(command.withInputLength(0).run(new byte[0]).isOutputConfirmed()).isTrue();
      try (RemoteProcess v4 = command.start();
          RemoteProcess v5 = command.withInput().start()) {
        assertThat(v4.isOutputConfirmed()).isFalse(); // It has not ended.
        for (RemoteProcess process : List.of(v4, v5)) {
          assertThat(process.inputStream().transferTo(OutputStream.nullOutputStream()))
              .isEqualTo(MUCH);
          assertThat(process.waitFor()).isZero();
        }
        assertThat(v4.isOutputConfirmed()).isTrue();
        assertThat(v5.isOutputConfirmed()).isFalse();
      }
    }
  }

  @Test
  void output_ofACommandThatHasEnded_isReadAhead() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    try (FakeKubelet kubelet = new FakeKubelet(output(2 * MUCH, sent));
        RESTClient client = RESTClient.create(kubelet.config());
        RemoteProcess process = RemoteCommand.exec(client, "default", "p", "x").start()) {
      // Nothing is read, and the server gets rid of all.
      assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();

      InputStream output = process.inputStream();
      assertThat(output.transferTo(OutputStream.nullOutputStream())).isEqualTo(2 * MUCH);
      assertThat(process.waitFor()).isZero();
    }
  }
}
