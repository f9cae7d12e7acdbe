package dev.clientgo.envtest.internal.discovery;

import static java.util.Objects.requireNonNullElseGet;

import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import dev.clientgo.envtest.internal.process.ServerBinaries;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers requests outside the resources: discovery, OpenAPI, version and health. */
public final class NonResourceHandler {

  private static final String NOT_FOUND = "404 page not found\n";
  private static final String MINOR = ServerBinaries.VERSION.split("\\.", -1)[1];
  private static final List<String> HEALTH = List.of("healthz", "livez", "readyz");

  private final DiscoveryDocuments discovery;
  private final AggregatedDiscovery aggregated;
  private final OpenApiDocuments openApi;

  public NonResourceHandler(ResourceRegistry resources) {
    this.discovery = new DiscoveryDocuments(resources);
    this.aggregated = new AggregatedDiscovery(discovery);
    this.openApi = new OpenApiDocuments(discovery);
  }

  public static Response notFound() {
    return Response.text(404, NOT_FOUND);
  }

  public Response answer(ApiRequest request) {
    List<String> path = path(request);
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return notFound();
    }
    String first = path.get(0);
    if (HEALTH.contains(first) && !path.get(path.size() - 1).isEmpty()) {
      return Response.text(200, "ok");
    }
    if (first.equals("version") && path.size() == 1) {
      return Response.tree(200, version());
    }
    if (first.equals("openapi")) {
      return requireNonNullElseGet(openApi.answer(request, path), NonResourceHandler::notFound);
    }
    boolean core = path.equals(List.of("api"));
    if ((core || path.equals(List.of("apis"))) && AggregatedDiscovery.isWanted(request)) {
      return aggregated.answer(request, core);
    }
    Optional<Map<String, Object>> document =
        discovery.document(path, request.header("Host").orElse("127.0.0.1"));
    return document.map(tree -> Response.tree(200, tree)).orElseGet(NonResourceHandler::notFound);
  }

  private static List<String> path(ApiRequest request) {
    String path = request.path().substring(1);
    // Discovery accepts a slash at the end; health does not.
    String trimmed =
        path.endsWith("/") && path.startsWith("api") ? path.substring(0, path.length() - 1) : path;
    return List.of(trimmed.split("/", -1));
  }

  private static Map<String, Object> version() {
    return JsonTree.of(
        "major", "1",
        "minor", MINOR,
        "emulationMajor", "1",
        "emulationMinor", MINOR,
        "minCompatibilityMajor", "1",
        "minCompatibilityMinor", "36",
        "gitVersion", "v" + ServerBinaries.VERSION,
        "gitCommit", "",
        "gitTreeState", "",
        "buildDate", "1970-01-01T00:00:00Z",
        "goVersion", "",
        "compiler", "",
        "platform", "");
  }
}
