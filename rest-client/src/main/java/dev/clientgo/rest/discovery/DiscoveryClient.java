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
 * Asks a server what it serves, each time.
 *
 * <p>A server of the last years answers in two requests, and sends nothing anew that has not
 * changed since this object asked it before; an older one is asked for each version of each group,
 * several at once. Safe for use by many threads. Corresponds to client-go's {@code
 * discovery.DiscoveryClient}.
 */
public final class DiscoveryClient implements Discovery {

  private static final String JSON = "application/json";
  private static final Duration TIMEOUT = Duration.ofSeconds(32);

  private final RESTClient client;
  private final String accept;
  private final TaggedAnswers<Groups> answers;

  private DiscoveryClient(RESTClient client, String accept, @Nullable SummedFiles files) {
    this.client = requireNonNull(client, "client");
    this.accept = accept;
    this.answers = new TaggedAnswers<>(files);
  }

  /** Returns the discovery of a server. The client stays the caller's to close. */
  public static DiscoveryClient of(RESTClient client) {
    return new DiscoveryClient(client, AggregatedDocument.ACCEPT, null);
  }

  /** Returns the discovery of a server that asks in the older form alone. */
  public static DiscoveryClient legacy(RESTClient client) {
    return new DiscoveryClient(client, JSON, null);
  }

  /**
   * Returns the discovery of a server that asks for what this one server has, where several of
   * different versions stand behind one address and otherwise answer for each other.
   *
   * <p>Corresponds to client-go's {@code NoPeerDiscovery}.
   */
  public static DiscoveryClient withoutPeers(RESTClient client) {
    return new DiscoveryClient(client, AggregatedDocument.ACCEPT_NO_PEER, null);
  }

  /**
   * Returns a client that keeps what the server gives an ETag, which is the newer form, in files:
   * other programs and later runs ask whether it has changed, as this object does after the first
   * time in any case. A file that is damaged, or cannot be read or written, is as good as none.
   *
   * @param folder where the files are, for this server alone; it is created when it is needed
   */
  public DiscoveryClient cached(Path folder) {
    return new DiscoveryClient(client, accept, new SummedFiles(folder));
  }

  /**
   * Returns the version of the server.
   *
   * @throws KubernetesException if the server does not say
   * @throws InterruptedException if the thread is interrupted
   */
  public VersionInfo serverVersion() throws InterruptedException {
    return VersionInfo.read(document(execute("/version")));
  }

  @Override
  public List<APIGroup> serverGroups() throws InterruptedException {
    return groups().groups;
  }

  /** Returns the client of the schemas that the server publishes. */
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
      return LegacyDocuments.resources(document(execute(path)));
    } catch (ApiStatusException e) {
      // As upstream: a server without the core group is no error.
      if (e.isNotFound() && version.equals(new GroupVersion("", "v1"))) {
        return List.of();
      }
      throw e;
    }
  }

  @Override
  public ServerResources serverGroupsAndResources() throws InterruptedException {
    ServerResources found = discover();
    // As upstream: what is missing may be there the second time.
    return found.isComplete() ? found : discover();
  }

  private ServerResources discover() throws InterruptedException {
    Groups groups = groups();
    return groups.aggregated != null ? groups.aggregated : resources(groups.groups);
  }

  /** Asks for the resources of each version. */
  private ServerResources resources(List<APIGroup> groups) throws InterruptedException {
    List<GroupVersion> versions =
        groups.stream().flatMap(group -> group.versions().stream()).distinct().toList();
    List<Object> answers = Concurrently.map(versions, this::resourcesOrFailure);
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    Map<GroupVersion, DiscoveryFailure> failures = new LinkedHashMap<>();
    for (int i = 0; i < versions.size(); i++) {
      if (answers.get(i) instanceof Resources found) {
        resources.put(versions.get(i), found.list);
      } else if (answers.get(i) instanceof DiscoveryFailure failure) {
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
      return DiscoveryFailure.of(e);
    }
  }

  /**
   * The groups.
   *
   * @param aggregated the resources, too, if the server has told them unasked
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
    Map<GroupVersion, DiscoveryFailure> failures = new LinkedHashMap<>(core.aggregated.failures());
    failures.putAll(others.aggregated.failures());
    return new Groups(groups, new ServerResources(groups, resources, failures));
  }

  /** As upstream: a server need not have the core group. */
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
        (type, body, origin) -> read(type, Documents.parse(body, origin), core));
  }

  private static Groups read(String contentType, Map<?, ?> document, boolean core) {
    if (AggregatedDocument.isType(contentType)) {
      ServerResources aggregated = AggregatedDocument.read(document);
      return new Groups(aggregated.groups(), aggregated);
    }
    if (core) {
      APIGroup group = LegacyDocuments.coreGroup(document);
      return new Groups(group == null ? List.of() : List.of(group), null);
    }
    return new Groups(LegacyDocuments.groups(document), null);
  }

  private Result execute(String path) throws InterruptedException {
    return request(path, JSON).execute();
  }

  private Request request(String path, String accept) {
    Request request = client.get().absPath(path).header("Accept", accept);
    return client.config().timeout().isZero() ? request.timeout(TIMEOUT) : request;
  }

  private static Map<?, ?> document(Result result) {
    return Documents.parse(result.raw(), result.toString());
  }
}
