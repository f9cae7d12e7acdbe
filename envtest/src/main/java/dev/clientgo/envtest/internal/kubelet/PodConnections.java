package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.rbac.Attributes;
import dev.clientgo.envtest.internal.rbac.Authorizer;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.kubelet.ContainerLog;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Handles the subresources of pods that lead to their containers: {@code exec}, {@code attach},
 * {@code portforward} and {@code log}.
 */
public final class PodConnections {

  /** The subresources that are handled here. */
  public static final Set<String> SUBRESOURCES = Set.of("exec", "attach", "portforward", "log");

  private final ObjectStore store;
  private final Authorizer authorizer;
  private final Clock clock;
  private final FakeKubelet kubelet;

  public PodConnections(
      ObjectStore store, Authorizer authorizer, Clock clock, FakeKubelet kubelet) {
    this.store = store;
    this.authorizer = authorizer;
    this.clock = clock;
    this.kubelet = kubelet;
  }

  /**
   * Answers a request.
   *
   * @throws ApiStatusException if it fails
   */
  public Response answer(ApiRequest request) {
    if (request.subresource().equals("log")) {
      return log(request);
    }
    if (request.verb().equals("get")) {
      // A WebSocket begins with a GET, but the user needs the verb create too.
      authorizer.check(Attributes.of(request).withVerb("create"));
    }
    PodTarget target = PodTarget.of(request, store);
    return request.subresource().equals("portforward")
        ? ports(request, target)
        : command(request, target);
  }

  private Response command(ApiRequest request, PodTarget target) {
    String container = target.container(request.query("container"));
    target.requireNode();
    CommandRequest wanted =
        CommandRequest.of(request, target.namespace(), target.name(), container);
    if (target.isRunning(container)) {
      return CommandUpgrade.answer(request, wanted, kubelet);
    }
    throw ApiStatusException.internalError(
        "unable to upgrade connection: container not found (\"" + container + "\")");
  }

  private Response ports(ApiRequest request, PodTarget target) {
    target.requireNode();
    if (!target.phase().equals("Running")) {
      throw ApiStatusException.internalError(
          "unable to upgrade connection: pod not found (\"%s_%s\")"
              .formatted(target.name(), target.namespace()));
    }
    return PortForwarding.answer(
        request, new PortTarget(kubelet, target.namespace(), target.name(), target.uid()));
  }

  private Response log(ApiRequest request) {
    LogOptions options = LogOptions.of(request, clock);
    PodTarget target = PodTarget.of(request, store);
    String container = target.container(request.query("container"));
    if (!target.hasNode()) {
      return Response.of(204, "text/plain", new Response.Bytes(List.of()));
    }
    if (!options.previous()) {
      requireStarted(target, container);
    }
    boolean follow = options.follow() && (options.previous() || target.isRunning(container));
    ContainerLog log = kubelet.log(target.namespace(), target.name(), container);
    return LogStream.response(log, options, target.name(), container, follow);
  }

  private static void requireStarted(PodTarget target, String container) {
    Optional<Map<String, Object>> status = target.status(container);
    boolean waits =
        status
            .map(
                s ->
                    JsonTree.get(s, "state", "running") == null
                        && JsonTree.get(s, "state", "terminated") == null
                        && JsonTree.get(s, "lastState", "terminated") == null)
            .orElseGet(() -> target.phase().isEmpty() || target.phase().equals("Pending"));
    if (waits) {
      String reason = status.map(s -> JsonTree.string(s, "state", "waiting", "reason")).orElse("");
      throw LogStream.refused(
          "container \"%s\" in pod \"%s\" is waiting to start: %s"
              .formatted(container, target.name(), explained(reason)));
    }
  }

  private static String explained(String reason) {
    return switch (reason) {
      case "" -> "ContainerCreating";
      case "ErrImagePull" -> "image can't be pulled";
      case "ImagePullBackOff" -> "trying and failing to pull image";
      default -> reason;
    };
  }
}
