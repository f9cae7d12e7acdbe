package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract with processes of this machine. */
final class FakeKubeletTest extends RemoteCommandContract {

  private static FakeKubelet kubelet;
  private static RESTClient client;

  @BeforeAll
  static void start() throws IOException {
    kubelet = new FakeKubelet(new LocalProcesses("v5.channel.k8s.io"));
    client = RESTClient.create(kubelet.config());
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    kubelet.close();
  }

  @Override
  RESTClient client() {
    return client;
  }

  @Test
  void v4_ofAnOldServer_hasNoEndOfInput() throws Exception {
    try (FakeKubelet old = new FakeKubelet(new LocalProcesses("v4.channel.k8s.io"));
        RESTClient oldClient = RESTClient.create(old.config())) {
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
}
