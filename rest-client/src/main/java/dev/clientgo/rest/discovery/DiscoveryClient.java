package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import dev.clientgo.rest.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A discovery that asks the server each time.
 *
 * <p>A server of recent years needs two requests, and sends nothing that has not changed since the
 * last call; an older one needs a request for each version of each group, of which several run at
 * once. Safe for use by many threads. Corresponds to client-go's {@code discovery.DiscoveryClient}.
 */
public final class DiscoveryClient implements Discovery {

  private static final String JSON = "application/json";
  private static final Duration TIMEOUT = Duration.ofSeconds(32);

  private final RESTClient client;
  private final String accept;
  private final ETagCache<Groups> answers;

  private DiscoveryClient(RESTClient client, String accept, @Nullable ChecksumFiles files) {
    this.client = requireNonNull(client, "client");
    this.accept = accept;
    this.answers = new ETagCache<>(files);
  }

  /** Returns the discovery of a server. The caller closes the client. */
  public static DiscoveryClient of(RESTClient client) {
    return new DiscoveryClient(client, AggregatedDiscovery.ACCEPT, null);
  }

  /** Returns a discovery that uses only the unaggregated form. */
  public static DiscoveryClient legacy(RESTClient client) {
    return new DiscoveryClient(client, JSON, null);
  }

  /**
   * Returns a discovery of only one server, if several servers of different versions share one
   * address and otherwise include the resources of each other.
   *
   * <p>Corresponds to client-go's {@code NoPeerDiscovery}.
   */
  public static DiscoveryClient withoutPeers(RESTClient client) {
    return new DiscoveryClient(client, AggregatedDiscovery.ACCEPT_NO_PEER, null);
  }

  /**
   * Returns a discovery that keeps responses with an ETag, which the aggregated form has, in files,
   * so that other programs and later runs only ask whether they have changed. A file that is
   * damaged, or cannot be read or written, counts as missing.
   *
   * @param folder the folder of the files, for only this server; created when needed
   */
  public DiscoveryClient cached(Path folder) {
    return new DiscoveryClient(client, accept, new ChecksumFiles(folder));
  }

  /**
   * Returns the version of the server.
   *
   * @throws KubernetesException if the server does not send it
   * @throws InterruptedException if the thread is interrupted
   */
  public VersionInfo serverVersion() throws InterruptedException {
    return VersionInfo.read(document(execute("/version")));
  }

  @Override
  public List<APIGroup> serverGroups() throws InterruptedException {
    return groups().groups;
  }

  /** Returns the client of the server's OpenAPI documents. */
  public OpenAPIClient openAPIV3() {
    return OpenAPIClient.of(client);
  }

  @Override
  public List<APIResource> serverResourcesForGroupVersion(GroupVersion version)
      throws InterruptedException {
    if (version.version().isEmpty()) {
      throw new IllegalArgumentException("group version " + version + " has no version");
    }
    String path = version.group().isEmpty() ? "/api/" + version.version() : "/apis/" + version;
    try {
      return UnaggregatedDiscovery.resources(document(execute(path)));
    } catch (ApiStatusException e) {
      // As in client-go: a server without the core group is not an error.
      if (e.isNotFound() && version.equals(new GroupVersion("", "v1"))) {
        return List.of();
      }
      throw e;
    }
  }

  @Override
  public ServerResources serverGroupsAndResources() throws InterruptedException {
    ServerResources found = discover();
    // As in client-go: a second attempt may find what is missing.
    return found.isComplete() ? found : discover();
  }

  private ServerResources discover() throws InterruptedException {
    Groups groups = groups();
    return groups.aggregated != null ? groups.aggregated : resources(groups.groups);
  }

  /** Requests the resources of each version. */
  private ServerResources resources(List<APIGroup> groups) throws InterruptedException {
    List<GroupVersion> versions =
        groups.stream().flatMap(group -> group.versions().stream()).distinct().toList();
    List<Object> answers = ParallelRequests.map(versions, this::resourcesOrFailure, client.clock());
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    Map<GroupVersion, ServerResources.Failure> failures = new LinkedHashMap<>();
    for (int i = 0; i < versions.size(); i++) {
      if (answers.get(i) instanceof Resources found) {
        resources.put(versions.get(i), found.list);
      } else if (answers.get(i) instanceof ServerResources.Failure failure) {
        failures.put(versions.get(i), failure);
      }
    }
    return new ServerResources(groups, resources, failures);
  }

  private record Resources(List<APIResource> list) {}

  private Object resourcesOrFailure(GroupVersion version) throws InterruptedException {
    try {
      return new Resources(serverResourcesForGroupVersion(version));
    } catch (KubernetesException e) {
      return ServerResources.Failure.of(e);
    }
  }

  /**
   * The groups.
   *
   * @param aggregated all resources, null if the server uses the unaggregated form
   */
  private record Groups(List<APIGroup> groups, @Nullable ServerResources aggregated) {}

  private Groups groups() throws InterruptedException {
    Groups core = coreGroups();
    Groups others = groups("/apis");
    List<APIGroup> groups = new ArrayList<>(core.groups);
    groups.addAll(others.groups);
    if (core.aggregated == null || others.aggregated == null) {
      return new Groups(groups, null);
    }
    Map<GroupVersion, List<APIResource>> resources =
        new LinkedHashMap<>(core.aggregated.resources());
    resources.putAll(others.aggregated.resources());
    Map<GroupVersion, ServerResources.Failure> failures =
        new LinkedHashMap<>(core.aggregated.failures());
    failures.putAll(others.aggregated.failures());
    return new Groups(groups, new ServerResources(groups, resources, failures));
  }

  /** As in client-go: a server may lack the core group. */
  private Groups coreGroups() throws InterruptedException {
    try {
      return groups("/api");
    } catch (ApiStatusException e) {
      if (e.isNotFound()) {
        return new Groups(List.of(), ServerResources.EMPTY);
      }
      throw e;
    }
  }

  private Groups groups(String path) throws InterruptedException {
    boolean core = path.equals("/api");
    return answers.get(
        path + "#" + accept,
        request(path, accept),
        (type, body, origin) -> read(type, JsonTree.parse(body, origin), core));
  }

  private static Groups read(String contentType, Map<?, ?> document, boolean core) {
    if (AggregatedDiscovery.isType(contentType)) {
      ServerResources aggregated = AggregatedDiscovery.read(document);
      return new Groups(aggregated.groups(), aggregated);
    }
    if (core) {
      APIGroup group = UnaggregatedDiscovery.coreGroup(document);
      return new Groups(group == null ? List.of() : List.of(group), null);
    }
    return new Groups(UnaggregatedDiscovery.groups(document), null);
  }

  private Result execute(String path) throws InterruptedException {
    return request(path, JSON).execute();
  }

  private Request request(String path, String accept) {
    Request request = client.get().absPath(path).header("Accept", accept);
    return client.config().timeout().isZero() ? request.timeout(TIMEOUT) : request;
  }

  private static Map<?, ?> document(Result result) {
    return JsonTree.parse(result.raw(), result.toString());
  }

  /**
   * The version of a server.
   *
   * <p>Corresponds to apimachinery's {@code version.Info}.
   *
   * @param major the first number
   * @param minor the second number; some vendors append a plus sign
   * @param gitVersion the full version, such as {@code v1.36.2}
   * @param gitCommit the commit it was built from
   * @param buildDate the date of the build
   * @param platform the platform of the server, such as {@code linux/amd64}
   */
  public record VersionInfo(
      String major,
      String minor,
      String gitVersion,
      String gitCommit,
      String buildDate,
      String platform) {

    static VersionInfo read(Map<?, ?> document) {
      return new VersionInfo(
          JsonTree.text(document, "major"),
          JsonTree.text(document, "minor"),
          JsonTree.text(document, "gitVersion"),
          JsonTree.text(document, "gitCommit"),
          JsonTree.text(document, "buildDate"),
          JsonTree.text(document, "platform"));
    }

    /** Returns the full version. */
    @Override
    public String toString() {
      return gitVersion;
    }
  }
}
