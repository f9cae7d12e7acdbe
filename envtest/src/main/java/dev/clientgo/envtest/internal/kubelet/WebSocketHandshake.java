package dev.clientgo.envtest.internal.kubelet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The opening handshake of WebSockets, RFC 6455, as a server. */
final class WebSocketHandshake {

  private static final String ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private WebSocketHandshake() {}

  static boolean isWanted(ApiRequest request) {
    return request.header("Upgrade").filter("websocket"::equalsIgnoreCase).isPresent();
  }

  /**
   * Returns the first subprotocol of the client that the server speaks.
   *
   * @throws ApiStatusException if the request is no WebSocket
   */
  static Optional<String> protocol(ApiRequest request, List<String> spoken) {
    if (!isWanted(request)) {
      throw ApiStatusException.badRequest("Upgrade request required");
    }
    if (request.header("Sec-WebSocket-Key").isEmpty()) {
      throw ApiStatusException.badRequest("the header Sec-WebSocket-Key is missing");
    }
    return Arrays.stream(request.header("Sec-WebSocket-Protocol").orElse("").split(",", -1))
        .map(String::strip)
        .filter(spoken::contains)
        .findFirst();
  }

  /** Returns the response to a client whose subprotocols the server does not speak. */
  static Response refusal() {
    return Response.of(403, "text/plain", new Response.Bytes(List.of()));
  }

  static Response upgrade(ApiRequest request, String protocol, Response.Upgrade upgrade) {
    return Response.upgrade("websocket", upgrade)
        .with("Sec-WebSocket-Accept", accept(request.header("Sec-WebSocket-Key").orElseThrow()))
        .with("Sec-WebSocket-Protocol", protocol);
  }

  private static String accept(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + ACCEPT).getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-1", e);
    }
  }
}
