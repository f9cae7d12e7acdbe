package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.ExecCluster;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Optional;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers whose address is of IPv6 and names an interface of this machine. */
@Timeout(300)
final class ZoneTest {

  private static Optional<NetworkInterface> loopback() throws IOException {
    return NetworkInterface.networkInterfaces()
        .filter(
            candidate ->
                candidate
                    .inetAddresses()
                    .anyMatch(it -> it instanceof Inet6Address && it.isLoopbackAddress()))
        .findFirst();
  }

  @Test
  void server_withAZone_isReached() throws Exception {
    Optional<NetworkInterface> loopback = loopback();
    assumeTrue(loopback.isPresent(), "there is no IPv6 here");
    try (MockWebServer server = new MockWebServer()) {
      server.start(
          InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), 0);
      server.enqueue(TestServer.json(200, "{}"));
      String url = "http://[::1%25" + loopback.get().getName() + "]:" + server.getPort();

      try (RESTClient client = RESTClient.create(RestConfig.builder(url).build())) {
        assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
      }
      // As upstream: the zone means something on this machine alone.
      assertThat(server.takeRequest().getHeaders().get("Host"))
          .isEqualTo("[::1]:" + server.getPort());
    }
  }

  @Test
  void zone_thatDoesNotExist_isNamed() throws Exception {
    RestConfig config = RestConfig.builder("https://[fe80::1%25nowhere]:6443/a").build();

    try (RESTClient client = RESTClient.create(config)) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(TransportException.class)
          .hasMessage(
              "GET https://[fe80::1]:6443/a/x: no response from https://[fe80::1]:6443 (this machine"
                  + " has no network interface nowhere)");
    }
    assertThat(config).asString().contains("server=https://[fe80::1%25nowhere]:6443/a/");
    assertThat(config.toBuilder().build().address()).isEqualTo(config.address());
  }

  @Test
  void plugin_isToldTheZone() {
    RestConfig config = RestConfig.builder("https://me:pw@[fe80::1%25eth0]:6443").build();

    assertThat(ExecCluster.of(config, null).toTree())
        .containsEntry("server", "https://[fe80::1%25eth0]:6443");
  }
}
