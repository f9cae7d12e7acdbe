package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the protocol by which the ports of a pod are forwarded. */
final class PortForwarding {

  /** SPDY frames inside of binary messages. */
  private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";

  /** One WebSocket for each connection. */
  private static final String CHANNELS = "v4.channel.k8s.io";

  /** The protocol in plain SPDY. */
  private static final String SPDY = "portforward.k8s.io";

  private PortForwarding() {}

  static Response answer(ApiRequest request, PortTarget target) {
    if (SpdyHandshake.isWanted(request)) {
      String spoken = SpdyHandshake.protocol(request, List.of(SPDY));
      return SpdyHandshake.upgrade(spoken, socket -> SpdyPorts.serve(socket, target));
    }
    Optional<String> protocol = WebSocketHandshake.protocol(request, List.of(TUNNEL, CHANNELS));
    if (protocol.isEmpty()) {
      return WebSocketHandshake.refusal();
    }
    Response.Upgrade upgrade =
        protocol.get().equals(TUNNEL)
            ? new TunnelledPorts(target)
            : new ChannelPorts(target, ports(request));
    return WebSocketHandshake.upgrade(request, protocol.get(), upgrade);
  }

  private static List<Integer> ports(ApiRequest request) {
    List<String> values = new ArrayList<>();
    values.addAll(request.query().getOrDefault("ports", List.of()));
    values.addAll(request.query().getOrDefault("port", List.of()));
    List<Integer> ports = new ArrayList<>();
    for (String value : values) {
      for (String port : value.split(",", -1)) {
        ports.add(PortTarget.port(port));
      }
    }
    if (ports.isEmpty()) {
      throw ApiStatusException.badRequest("query parameter \"port\" is required");
    }
    return ports;
  }
}
