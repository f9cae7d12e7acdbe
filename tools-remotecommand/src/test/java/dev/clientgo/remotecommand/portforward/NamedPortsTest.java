package dev.clientgo.remotecommand.portforward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.kubelet.PortProgram;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forwards to ports that are known by their names. */
@Timeout(300)
final class NamedPortsTest {

  private static EmbeddedApiServer server;
  private static RESTClient client;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    port = PodProgram.unusedPort();
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    server
        .kubelet()
        .runPod(
            Unstructured.parseYaml(
                    """
                    {apiVersion: v1, kind: Pod, metadata: {name: web-0, namespace: shop, labels: {app: web}},
                      spec: {containers: [{name: main, image: i, ports: [{name: http, containerPort: %d}]}]}}
                    """
                        .formatted(port))
                .get(0));
    server.put(
        Unstructured.parseYaml(
                "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec:"
                    + " {selector: {app: web}, ports: [{name: www, port: 80, targetPort: http}]}}")
            .get(0));
    server.kubelet().port("shop", "web-0", port, PortProgram.echo());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static void assertEcho(Socket socket) throws IOException {
    try (socket) {
      socket.getOutputStream().write("echo".getBytes(UTF_8));
      assertThat(socket.getInputStream().readNBytes(4)).asString(UTF_8).isEqualTo("echo");
    }
  }

  @Test
  void listen_atANameOfThePod_leadsToItsPort() throws Exception {
    PortForward pod = PortForward.toPod(client, "shop", "web-0");
    try (PortForwarder forwarder = pod.listen(":http")) {
      int local = forwarder.localPort("http");

      assertEcho(new Socket(InetAddress.getLoopbackAddress(), local));
      assertThat(forwarder.ports()).hasToString("[" + local + ":http]");
      assertThatThrownBy(() -> forwarder.localPort(80))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("80 is not among the ports [" + local + ":http]");
    }
  }

  /** As kubectl: the local port is the number that the name stands for. */
  @Test
  void listen_atANameAlone_opensThePortOfThatNumber() throws Exception {
    PortForward pod = PortForward.toPod(client, "shop", "web-0");
    try (PortForwarder forwarder = pod.listen("http")) {
      assertThat(forwarder.localPort("http")).isEqualTo(port);
      assertEcho(new Socket(InetAddress.getLoopbackAddress(), port));
    }
  }

  @Test
  void service_byTheNameOfItsPort_leadsToTheNamedPortOfAPod() throws Exception {
    PortForward service =
        PortForward.toService(client, "shop", "web").withPodRunningTimeout(Duration.ofSeconds(60));

    assertEcho(service.connect("www"));
    assertEcho(service.connect(80));
    try (PortForwarder forwarder = service.listen(":www", ":80")) {
      for (int local : List.of(forwarder.localPort("www"), forwarder.localPort(80))) {
        assertEcho(new Socket(InetAddress.getLoopbackAddress(), local));
      }
    }
  }

  @Test
  void name_thatIsNone_isRefusedBeforeAnythingIsOpen() {
    PortForward pod = PortForward.toPod(client, "shop", "web-0");

    assertThatThrownBy(() -> pod.listen(":https"))
        .isInstanceOf(PortForwardException.class)
        .hasMessageContaining("port https of the pod shop/web-0: no container has a port");
    assertThatThrownBy(() -> pod.connect("Not_A_Name"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no name of a port");
    assertThatThrownBy(() -> pod.withPodRunningTimeout(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A client of localhost could reach the program that has the other address. */
  @Test
  void listen_atAPortThatIsTakenAtOneAddress_throws() throws Exception {
    PortForward pod = PortForward.toPod(client, "shop", "web-0");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> pod.listen(taken.getLocalPort() + ":80"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen at port " + taken.getLocalPort());
    }
  }

  @Test
  void socketFactory_ofAPodThatIsNotThere_saysSo() {
    OkHttpClient http =
        new OkHttpClient.Builder()
            .socketFactory(PortForward.toPod(client, "shop", "none").socketFactory())
            .build();
    Request request = new Request.Builder().url("http://localhost:80/").build();

    assertThatThrownBy(() -> http.newCall(request).execute())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("pods \"none\" not found");
  }
}
