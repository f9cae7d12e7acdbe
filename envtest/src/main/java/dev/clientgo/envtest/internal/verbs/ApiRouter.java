package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.admission.Admission;
import dev.clientgo.envtest.internal.admission.AdmissionWebhooks;
import dev.clientgo.envtest.internal.apply.FieldManager;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.discovery.DiscoveryDocuments;
import dev.clientgo.envtest.internal.discovery.NonResourceHandler;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.http.AwaitableList;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.kinds.BuiltInResources;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.kubelet.PodConnections;
import dev.clientgo.envtest.internal.rbac.Authorizer;
import dev.clientgo.envtest.internal.rbac.RoleResolver;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.strategy.CreateUpdateStrategy;
import dev.clientgo.envtest.internal.strategy.KindRules;
import dev.clientgo.envtest.internal.webhooks.WebhookCalls;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Passes each request to the handler of its verb or subresource. Safe for use by many threads. */
public final class ApiRouter {

  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final String READABLE =
      "application/json, application/yaml; the embedded server reads no protobuf, which kubectl"
          + " sends for \"create KIND NAME\", but not for \"create -f FILE\"";
  private static final int MAX_BODY = 3 << 20;
  private static final List<String> FIRST_NAMESPACES =
      List.of("default", "kube-node-lease", "kube-public", "kube-system");

  private final ObjectStore store;
  private final ResourceRegistry resources = new ResourceRegistry(BuiltInResources.all());
  private final AwaitableList<OpenWatch> openWatches;
  private final CreateUpdateStrategy strategy;
  private final ReadHandler reads;
  private final WriteHandler writes;
  private final DeleteHandler deletes;
  private final ScaleHandler scales;
  private final EvictionHandler evictions;
  private final BindingHandler bindings;
  private final TokenRequestHandler tokenRequests;
  private final WatchHandler watches;
  private final NonResourceHandler nonResources;
  private final CustomResourceController customResources;
  private final AdmissionWebhooks webhooks;
  private final VersionConverter versions;
  private final ReactionHandler reactions;
  private final Authorizer authorizer;
  private final AccessReviewHandler reviews;
  private final PodConnections connections;

  /**
   * Creates a router.
   *
   * @param kubelet plays the containers of pods
   */
  public ApiRouter(ObjectStore store, ServerSettings settings, FakeKubelet kubelet) {
    this.store = store;
    this.openWatches = new AwaitableList<>(Integer.MAX_VALUE, settings.clock());
    this.strategy = new CreateUpdateStrategy(settings.clock(), settings.random());
    this.authorizer = new Authorizer(new RoleResolver(store));
    this.reviews = new AccessReviewHandler(authorizer);
    this.connections = new PodConnections(store, authorizer, settings.clock(), kubelet);
    WebhookCalls calls = new WebhookCalls();
    this.versions = new VersionConverter(resources, calls);
    this.reads = new ReadHandler(store, settings, versions);
    FieldManager tracking = new FieldManager(settings.clock());
    this.writes = new WriteHandler(store, strategy, settings, tracking, authorizer, versions);
    this.deletes = new DeleteHandler(store, settings, versions);
    this.scales = new ScaleHandler(store, writes, tracking, versions);
    this.evictions = new EvictionHandler(store, deletes, settings.clock());
    this.bindings = new BindingHandler(store, settings.clock());
    this.tokenRequests = new TokenRequestHandler(store, settings);
    this.watches = new WatchHandler(store, settings, openWatches, versions);
    this.webhooks = new AdmissionWebhooks(store, calls);
    this.reactions = new ReactionHandler(store, resources, settings, watches);
    this.nonResources = new NonResourceHandler(resources);
    this.customResources =
        new CustomResourceController(store, resources, deletes, settings.clock());
    resources.all().forEach(resource -> store.open(resource.groupResource()));
    store.index(new GroupResource("", "pods"), "spec.nodeName"); // As kube-apiserver does.
    FIRST_NAMESPACES.forEach(this::createNamespace);
  }

  private void createNamespace(String name) {
    ServedKind namespaces = served(new GroupVersionResource("", "v1", "namespaces"));
    Unstructured namespace =
        KindRules.namespace(Unstructured.of(Map.of("metadata", Map.of("name", name))));
    store.put(namespaces.groupResource(), name, null, strategy.complete(namespaces, namespace));
  }

  /** Returns the open watches. */
  public AwaitableList<OpenWatch> openWatches() {
    return openWatches;
  }

  /** Returns the strategy that completes objects. */
  public CreateUpdateStrategy strategy() {
    return strategy;
  }

  /** Returns the conversion between the versions of custom kinds. */
  public VersionConverter versions() {
    return versions;
  }

  /** Returns the means to delete objects without requests. */
  public ObjectPurge purge() {
    return new ObjectPurge(store, resources, deletes, customResources);
  }

  /** Returns the authorizer, which checks requests before they come here. */
  public Authorizer authorizer() {
    return authorizer;
  }

  /** Returns the means to answer with objects that are not stored. */
  public ReactionHandler reactions() {
    return reactions;
  }

  /** Returns the controller of custom kinds. */
  public CustomResourceController customResources() {
    return customResources;
  }

  /**
   * Returns a kind.
   *
   * @throws IllegalArgumentException if the server does not serve it
   */
  public ServedKind served(GroupVersionResource name) {
    return resources
        .find(name.group(), name.version(), name.resource())
        .orElseThrow(() -> new IllegalArgumentException(name + " is not served"));
  }

  /**
   * Returns the kind of an object.
   *
   * @throws IllegalArgumentException if the server does not serve it
   */
  public ServedKind served(GroupVersionKind kind) {
    return resources.all().stream()
        .filter(r -> r.group().equals(kind.group()) && r.kind().equals(kind.kind()))
        .flatMap(r -> resources.find(r.group(), kind.version(), r.plural()).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(kind + " is not served"));
  }

  /** Creates a namespace, unless it exists. */
  public void ensureNamespace(String name) {
    if (store.get(new GroupResource("", "namespaces"), name) == null) {
      createNamespace(name);
    }
  }

  /**
   * Answers a request.
   *
   * @throws ApiStatusException if it fails
   */
  public Response answer(ApiRequest request) {
    if (request.resource().isEmpty()) {
      return nonResources.answer(request);
    }
    Optional<ServedKind> served =
        resources.find(request.group(), request.version(), request.resource());
    if (served.isEmpty() || !fits(request, served.get())) {
      if (resources.isBuiltIn(request.group())) {
        throw ApiErrors.noSuchResource();
      }
      return NonResourceHandler.notFound();
    }
    if (request.body().length > MAX_BODY) {
      throw ApiStatusException.requestEntityTooLarge("limit is " + MAX_BODY);
    }
    if (request.contentType().equals("application/vnd.kubernetes.protobuf")) {
      throw ApiErrors.unsupportedMediaType(READABLE);
    }
    if (READS.contains(request.verb())) {
      return verb(request, served.get(), webhooks.none(request, served.get()));
    }
    Response response = admitted(request, served.get());
    customResources.afterWrite(served.get().resource());
    return response;
  }

  /** Warnings of webhooks reach the client with errors, too. */
  private Response admitted(ApiRequest request, ServedKind served) {
    Admission admission = webhooks.begin(request, served);
    try {
      return admission.warn(verb(request, served, admission));
    } catch (ApiStatusException e) {
      return admission.failed(e);
    }
  }

  private static boolean fits(ApiRequest request, ServedKind served) {
    boolean namespaced = !request.namespace().isEmpty();
    boolean scopeFits =
        served.resource().namespaced()
            ? namespaced || (request.name().isEmpty() && !isCustomWrite(request, served))
            : !namespaced || isOwnNamespace(request, served);
    String subresource = request.subresource();
    boolean known = subresource.isEmpty() || served.version().subresources().contains(subresource);
    if (scopeFits && !known && served.isCustom()) {
      throw ApiStatusException.notFound(served.groupResource(), request.name());
    }
    return scopeFits && known;
  }

  /** A namespace counts as being inside itself, and not inside another. */
  private static boolean isOwnNamespace(ApiRequest request, ServedKind served) {
    return served.resource().isNamespace() && request.namespace().equals(request.name());
  }

  /** Where built-in kinds answer "method not allowed", custom kinds have no such path. */
  private static boolean isCustomWrite(ApiRequest request, ServedKind served) {
    return served.isCustom() && !READS.contains(request.verb());
  }

  private Response verb(ApiRequest request, ServedKind served, Admission admission) {
    if (!isAllowed(request, served.resource())) {
      throw served.isCustom()
          ? ApiStatusException.methodNotSupported(served.groupResource(), request.verb())
          : ApiErrors.methodNotAllowed();
    }
    if (served.is(Trait.REVIEW)) {
      return reviews.create(request, served);
    }
    switch (request.subresource()) {
      case "scale" -> {
        return scales.answer(request, served, admission);
      }
      case "eviction" -> {
        return evictions.create(request, served);
      }
      case "binding" -> {
        return bindings.create(request, served);
      }
      case "token" -> {
        return tokenRequests.create(request, served);
      }
      default -> {
        if (!served.isCustom() && PodConnections.SUBRESOURCES.contains(request.subresource())) {
          return connections.answer(request);
        }
      }
    }
    return switch (request.verb()) {
      case "get" -> reads.get(request, served);
      case "list" -> reads.list(request, served);
      case "watch" -> watches.watch(request, served);
      case "create" -> writes.create(request, served, admission);
      case "update" -> writes.update(request, served, admission);
      case "patch" -> writes.patch(request, served, admission);
      case "delete" -> deletes.delete(request, served, admission);
      default -> deletes.deleteCollection(request, served, admission);
    };
  }

  private static boolean isAllowed(ApiRequest request, Resource resource) {
    if (DiscoveryDocuments.OWN_VERBS.containsKey(request.subresource())) {
      return DiscoveryDocuments.verbs(request.subresource()).contains(request.verb());
    }
    boolean whole = request.subresource().isEmpty();
    if (resource.is(Trait.REVIEW) && !request.verb().equals("create")) {
      return false;
    }
    boolean everywhere = resource.namespaced() && request.namespace().isEmpty();
    return switch (request.verb()) {
      case "get", "list", "watch" -> true;
      case "create" -> whole && !everywhere && request.name().isEmpty();
      case "update", "patch" -> !request.name().isEmpty();
      case "delete" -> whole;
      case "deletecollection" -> !everywhere && resource.verbs().contains("deletecollection");
      default -> false;
    };
  }
}
