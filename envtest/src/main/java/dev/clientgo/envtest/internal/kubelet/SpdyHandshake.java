package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Arrays;
import java.util.List;

/** The switch of a request to SPDY/3.1, which kubectl tries where it gets no WebSocket. */
final class SpdyHandshake {

  private static final String PROTOCOL = "X-Stream-Protocol-Version";

  private SpdyHandshake() {}

  static boolean isWanted(ApiRequest request) {
    return request.header("Upgrade").filter("SPDY/3.1"::equalsIgnoreCase).isPresent();
  }

  /**
   * Returns the first protocol of the client that the server speaks.
   *
   * @throws ApiStatusException if there is none
   */
  static String protocol(ApiRequest request, List<String> spoken) {
    return request.headers(PROTOCOL).stream()
        .flatMap(header -> Arrays.stream(header.split(",", -1)))
        .map(String::strip)
        .filter(spoken::contains)
        .findFirst()
        .orElseThrow(
            () ->
                ApiStatusException.badRequest(
                    "unable to negotiate protocol: client supports %s, server accepts %s"
                        .formatted(request.headers(PROTOCOL), spoken)));
  }

  static Response upgrade(String protocol, Response.Upgrade upgrade) {
    return Response.upgrade("SPDY/3.1", upgrade).with(PROTOCOL, protocol);
  }
}
