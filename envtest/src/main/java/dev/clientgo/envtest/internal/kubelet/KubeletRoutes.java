package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.http.HttpEndpoint;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;

/**
 * The paths of a kubelet, which a real API server calls. That server has checked the user, the pod
 * and the name of the container.
 */
public final class KubeletRoutes implements HttpEndpoint.Handler {

  private final FakeKubelet kubelet;
  private final Clock clock;

  public KubeletRoutes(FakeKubelet kubelet, Clock clock) {
    this.kubelet = kubelet;
    this.clock = clock;
  }

  @Override
  public Response answer(ApiRequest request) {
    List<String> path = List.of(request.path().substring(1).split("/", -1));
    String what = path.get(0);
    if (path.size() == 4 && (what.equals("exec") || what.equals("attach"))) {
      return CommandUpgrade.answer(
          request, CommandRequest.of(request, path.get(1), path.get(2), path.get(3)), kubelet);
    }
    if (path.size() == 4 && what.equals("containerLogs")) {
      return log(request, path.get(1), path.get(2), path.get(3));
    }
    if (path.size() == 3 && what.equals("portForward")) {
      return PortForwarding.answer(request, new PortTarget(kubelet, path.get(1), path.get(2), ""));
    }
    return Response.text(404, "404 page not found\n");
  }

  /** A kubelet reports errors as plain text. */
  private Response log(ApiRequest request, String namespace, String pod, String container) {
    try {
      LogOptions options = LogOptions.of(request, clock);
      return LogStream.response(
          kubelet.log(namespace, pod, container), options, pod, container, options.follow());
    } catch (ApiStatusException e) {
      return Response.text(400, String.valueOf(e.getMessage()));
    }
  }
}
