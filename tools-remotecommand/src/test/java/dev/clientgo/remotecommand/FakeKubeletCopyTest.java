package dev.clientgo.remotecommand;

import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of copies with processes of this machine. */
final class FakeKubeletCopyTest extends PodCopyContract {

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
}
