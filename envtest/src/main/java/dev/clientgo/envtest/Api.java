package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.Resource.Trait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds out what a request is about, and who answers it. Safe for use by many threads. */
final class Api {

  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final int MAX_BODY = 3 << 20;
  private static final List<String> FIRST_NAMESPACES =
      List.of("default", "kube-node-lease", "kube-public", "kube-system");

  private final Store store;
  private final Resources resources = new Resources(BuiltIns.all());
  private final OpenWatches openWatches = new OpenWatches();
  private final Strategy strategy;
  private final Reads reads;
  private final Writes writes;
  private final Deletes deletes;
  private final Scales scales;
  private final Evictions evictions;
  private final Bindings bindings;
  private final TokenRequests tokenRequests;
  private final Watches watches;
  private final NonResources nonResources;
  private final CustomResources customResources;

  Api(Store store, Settings settings) {
    this.store = store;
    this.strategy = new Strategy(settings.clock(), settings.random());
    this.reads = new Reads(store, settings.clock());
    FieldTracking tracking = new FieldTracking(settings.clock());
    this.writes = new Writes(store, strategy, settings.clock(), tracking);
    this.deletes = new Deletes(store, settings.clock());
    this.scales = new Scales(store, writes, tracking);
    this.evictions = new Evictions(store, deletes, settings.clock());
    this.bindings = new Bindings(store, settings.clock());
    this.tokenRequests = new TokenRequests(store, settings);
    this.watches = new Watches(store, settings, openWatches);
    this.nonResources = new NonResources(resources);
    this.customResources = new CustomResources(store, resources, deletes, settings.clock());
    resources.all().forEach(resource -> store.open(resource.groupResource()));
    FIRST_NAMESPACES.forEach(this::createNamespace);
  }

  private void createNamespace(String name) {
    Served namespaces = served(new GroupVersionResource("", "v1", "namespaces"));
    Unstructured namespace =
        KindRules.namespace(Unstructured.of(Map.of("metadata", Map.of("name", name))));
    store.put(
        namespaces.groupResource(), name, null, strategy.complete(namespaces, namespace));
  }

  /** Returns the watches that are open. */
  OpenWatches openWatches() {
    return openWatches;
  }

  /** Returns what the server writes into objects. */
  Strategy strategy() {
    return strategy;
  }

  /** Returns what follows the definitions of custom kinds. */
  CustomResources customResources() {
    return customResources;
  }

  /**
   * Returns a kind that is served.
   *
   * @throws IllegalArgumentException if it is not
   */
  Served served(GroupVersionResource name) {
    return resources
        .find(name.group(), name.version(), name.resource())
        .orElseThrow(() -> new IllegalArgumentException(name + " is not served"));
  }

  /**
   * Answers a request.
   *
   * @throws ApiStatusException if it fails
   */
  Response answer(ApiRequest request) {
    if (request.resource().isEmpty()) {
      return nonResources.answer(request);
    }
    Optional<Served> served =
        resources.find(request.group(), request.version(), request.resource());
    if (served.isEmpty() || !fits(request, served.get())) {
      if (resources.isBuiltIn(request.group())) {
        throw Failures.noSuchResource();
      }
      return NonResources.notFound();
    }
    if (request.body().length > MAX_BODY) {
      throw ApiStatusException.requestEntityTooLarge("limit is " + MAX_BODY);
    }
    Response response = verb(request, served.get());
    if (!READS.contains(request.verb())) {
      customResources.afterWrite(served.get().resource());
    }
    return response;
  }

  private static boolean fits(ApiRequest request, Served served) {
    boolean namespaced = !request.namespace().isEmpty();
    boolean scopeFits =
        served.resource().namespaced()
            ? namespaced || (request.name().isEmpty() && !isCustomWrite(request, served))
            : !namespaced || isOwnNamespace(request, served);
    String subresource = request.subresource();
    boolean known = subresource.isEmpty() || served.version().subresources().contains(subresource);
    if (scopeFits && !known && served.is(Trait.CUSTOM)) {
      throw ApiStatusException.notFound(served.groupResource(), request.name());
    }
    return scopeFits && known;
  }

  /** A namespace is in itself; there are none in another. */
  private static boolean isOwnNamespace(ApiRequest request, Served served) {
    return served.resource().isNamespace() && request.namespace().equals(request.name());
  }

  /** Where built-in kinds answer that a method is not allowed, others have no path at all. */
  private static boolean isCustomWrite(ApiRequest request, Served served) {
    return served.is(Trait.CUSTOM) && !READS.contains(request.verb());
  }

  private Response verb(ApiRequest request, Served served) {
    if (!isAllowed(request, served.resource())) {
      throw served.is(Trait.CUSTOM)
          ? ApiStatusException.methodNotSupported(served.groupResource(), request.verb())
          : Failures.methodNotAllowed();
    }
    switch (request.subresource()) {
      case "scale" -> {
        return scales.answer(request, served);
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
      default -> {}
    }
    return switch (request.verb()) {
      case "get" -> reads.get(request, served);
      case "list" -> reads.list(request, served);
      case "watch" -> watches.watch(request, served);
      case "create" -> writes.create(request, served);
      case "update" -> writes.update(request, served);
      case "patch" -> writes.patch(request, served);
      case "delete" -> deletes.delete(request, served);
      default -> deletes.deleteCollection(request, served);
    };
  }

  private static boolean isAllowed(ApiRequest request, Resource resource) {
    if (Discovery.DEEDS.contains(request.subresource())) {
      return request.verb().equals("create");
    }
    boolean whole = request.subresource().isEmpty();
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
