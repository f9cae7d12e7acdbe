package dev.clientgo.remotecommand.portforward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.kubelet.PortProgram;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A local port that can accept no connection for a while, for instance for lack of descriptors. */
@Timeout(60)
final class AcceptFaultsTest {

  private static final int FAILURES = 5;

  /** Fails some times before it accepts, and asks for the problem each time. */
  private static final class FailingSocket extends ServerSocket {
    private final List<Optional<String>> problems = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch acceptedOne = new CountDownLatch(FAILURES + 2);
    private volatile Supplier<Optional<String>> problem = Optional::empty;

    private FailingSocket() throws IOException {
      super(0, 1, InetAddress.getLoopbackAddress());
    }

    @Override
    public Socket accept() throws IOException {
      problems.add(problem.get());
      acceptedOne.countDown();
      if (problems.size() > FAILURES) {
        return super.accept();
      }
      if (problems.size() % 2 == 0) {
        throw new OutOfMemoryError("mine");
      }
      throw new IOException("Too many open files");
    }
  }

  @Test
  void port_whoseAcceptFails_tellsItAndGoesOn() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        FailingSocket socket = new FailingSocket()) {
      server.kubelet().runPod("default", "p", "c");
      server.kubelet().port(80, PortProgram.echo());
      ForwardedPort port = new ForwardedPort(socket.getLocalPort(), 80);
      try (PortForwarder forwarder =
          new PortForwarder(
              PortForward.toPod(client, "default", "p").connector(),
              List.of(new PortForwarder.BoundPort(port, List.of(socket))),
              new PortForwarder.Listener() {})) {
        socket.problem = forwarder::problem;
        forwarder.start();
        try (Socket connection =
            new Socket(InetAddress.getLoopbackAddress(), socket.getLocalPort())) {
          connection.getOutputStream().write('x');
          assertThat(connection.getInputStream().read()).isEqualTo('x');
        }

        assertThat(socket.acceptedOne.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(socket.problems.get(2)).isEmpty(); // Two failures may pass.
        assertThat(socket.problems.get(3).orElseThrow())
            .contains("3 failures in a row", "Too many open files");
        assertThat(socket.problems.get(FAILURES)).isPresent();
        assertThat(socket.problems.get(FAILURES + 1)).isEmpty();
      }
    }
  }
}
