package dev.clientgo.envtest;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.envtest.Resource.Version;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Finds out what a request is about, and who answers it. Safe for use by many threads. */
final class Api {

  private final Resources resources;
  private final Reads reads;
  private final Writes writes;
  private final Deletes deletes;
  private final Watches watches;

  Api(
      Store store,
      Resources resources,
      Clock clock,
      RandomGenerator random,
      Duration bookmarkInterval) {
    this.resources = resources;
    this.reads = new Reads(store);
    this.writes = new Writes(store, new Strategy(clock, random));
    this.deletes = new Deletes(store, clock);
    this.watches = new Watches(store, clock, random, bookmarkInterval);
  }

  /**
   * Answers a request.
   *
   * @throws dev.clientgo.apimachinery.errors.ApiStatusException if it fails
   */
  Response handle(ApiRequest request) {
    if (request.resource().isEmpty()) {
      return pathNotFound();
    }
    Optional<Resource> resource = resources.find(request.group(), request.resource());
    Optional<Version> version =
        resource.flatMap(r -> r.version(request.version())).filter(Version::served);
    if (version.isEmpty() || !fits(request, resource.get(), version.get())) {
      return pathNotFound();
    }
    return verb(request, resource.get(), version.get());
  }

  private static boolean fits(ApiRequest request, Resource resource, Version version) {
    boolean namespaced = !request.namespace().isEmpty();
    boolean scopeFits =
        resource.namespaced()
            ? namespaced || request.name().isEmpty()
            : !namespaced || resource.plural().equals("namespaces");
    String subresource = request.subresource();
    return scopeFits && (subresource.isEmpty() || version.subresources().contains(subresource));
  }

  private Response verb(ApiRequest request, Resource resource, Version version) {
    boolean whole = request.subresource().isEmpty();
    boolean everywhere = resource.namespaced() && request.namespace().isEmpty();
    return switch (request.verb()) {
      case "get" -> reads.get(request, resource, version);
      case "list" -> reads.list(request, resource, version);
      case "watch" -> watches.watch(request, resource, version);
      case "update" -> writes.update(request, resource, version);
      case "patch" -> writes.patch(request, resource, version);
      case "create" -> {
        if (!whole || everywhere || !request.name().isEmpty()) {
          throw notAllowed(request, resource);
        }
        yield writes.create(request, resource, version);
      }
      case "delete" -> {
        if (!whole) {
          throw notAllowed(request, resource);
        }
        yield deletes.delete(request, resource, version);
      }
      case "deletecollection" -> {
        if (everywhere || !resource.verbs().contains("deletecollection")) {
          throw notAllowed(request, resource);
        }
        yield deletes.deleteCollection(request, resource, version);
      }
      default -> throw notAllowed(request, resource);
    };
  }

  private static RuntimeException notAllowed(ApiRequest request, Resource resource) {
    return resource.is(Resource.Trait.CUSTOM)
        ? Failures.notSupported(resource.groupResource(), request.verb())
        : Failures.methodNotAllowed();
  }

  private static Response pathNotFound() {
    return Response.text(404, "404 page not found\n");
  }
}
