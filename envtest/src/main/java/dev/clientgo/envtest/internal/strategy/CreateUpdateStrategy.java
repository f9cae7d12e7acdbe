package dev.clientgo.envtest.internal.strategy;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.validation.NameGenerator;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sets the fields that belong to the server, and validates objects.
 *
 * <p>Corresponds to the API server's {@code registry/rest.BeforeCreate} and {@code BeforeUpdate},
 * and to the strategies of the kinds.
 */
public final class CreateUpdateStrategy {

  private static final String STATUS = "status";
  private static final String[] EPHEMERAL = {"spec", "ephemeralContainers"};

  private final Clock clock;
  private final RandomGenerator random;

  public CreateUpdateStrategy(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns a new object as it is stored. */
  public Unstructured create(ServedKind served, String namespace, Unstructured sent) {
    ObjectMeta.Builder metadata =
        sent.metadata().toBuilder()
            .name(name(sent.metadata()))
            .namespace(namespace.isEmpty() ? null : namespace)
            .uid(uid())
            .creationTimestamp(Time.now(clock))
            .resourceVersion(null)
            .deletionTimestamp(null)
            .deletionGracePeriodSeconds(null)
            .selfLink(null);
    if (served.is(Trait.GENERATION)) {
      metadata.generation(1L);
    }
    Unstructured object = KindRules.create(served, sent.withMetadata(metadata.build()));
    check(served, object, null, MetadataRules.check(served.resource(), object.metadata()));
    return object;
  }

  /** Returns an object with the metadata that every object has, without validation. */
  public Unstructured complete(ServedKind served, Unstructured object) {
    ObjectMeta metadata = object.metadata();
    ObjectMeta.Builder builder = metadata.toBuilder();
    if (metadata.uid() == null) {
      builder.uid(uid());
    }
    if (metadata.creationTimestamp() == null) {
      builder.creationTimestamp(Time.now(clock));
    }
    if (metadata.generation() == null && served.is(Trait.GENERATION)) {
      builder.generation(1L);
    }
    return object.withMetadata(builder.build());
  }

  private String name(ObjectMeta metadata) {
    String name = requireNonNullElse(metadata.name(), "");
    String base = requireNonNullElse(metadata.generateName(), "");
    return name.isEmpty() && !base.isEmpty() ? NameGenerator.generate(base, random) : name;
  }

  /** Returns a replaced object as it is stored. */
  public Unstructured update(ServedKind served, Unstructured sent, StoredObject old) {
    Unstructured object = sent.withMetadata(keep(sent.metadata(), old.metadata()));
    if (served.hasStatus()) {
      object = withStatusOf(old.object(), object);
    }
    object = KindRules.update(served, object, old);
    check(
        served, object, old, MetadataRules.checkUpdate(served.resource(), object.metadata(), old));
    return counted(served, object, old);
  }

  /** Increases the generation if the desired state has changed. */
  private static Unstructured counted(ServedKind served, Unstructured object, StoredObject old) {
    Long generation = old.metadata().generation();
    if (!served.is(Trait.GENERATION)
        || desired(served, object).equals(desired(served, old.object()))) {
      return object;
    }
    long next = generation == null ? 1 : generation + 1;
    return object.withMetadata(object.metadata().toBuilder().generation(next).build());
  }

  /** Returns a pod with more ephemeral containers; only these may change. */
  public Unstructured updateEphemeralContainers(
      ServedKind served, Unstructured sent, StoredObject old) {
    List<Map<String, Object>> containers = JsonTree.objects(sent.content(), EPHEMERAL);
    for (Map<String, Object> present : JsonTree.objects(old.object().content(), EPHEMERAL)) {
      Object name = present.get("name");
      if (!containers.contains(present)) {
        boolean there = containers.stream().anyMatch(c -> Objects.equals(c.get("name"), name));
        String problem = there ? "changed" : "removed";
        throw ApiStatusException.invalid(
            new GroupKind("", served.kind()),
            old.name(),
            List.of(
                FieldErrors.forbidden(
                    String.join(".", EPHEMERAL),
                    "existing ephemeral containers \"%s\" may not be %s\n"
                        .formatted(name, problem))));
      }
    }
    return counted(served, old.object().with(containers, EPHEMERAL), old);
  }

  /** Returns an object with a replaced status as it is stored. */
  public Unstructured updateStatus(ServedKind served, Unstructured sent, StoredObject old) {
    ObjectMeta metadata =
        served.isCustom()
            ? old.metadata()
            : keep(sent.metadata(), old.metadata()).toBuilder()
                .ownerReferences(old.metadata().ownerReferences())
                .build();
    Unstructured object = withStatusOf(sent, old.object()).withMetadata(metadata);
    check(served, object, old, MetadataRules.checkUpdate(served.resource(), metadata, old));
    return object;
  }

  private static Unstructured withStatusOf(Unstructured source, Unstructured object) {
    Optional<Object> status = source.nested(STATUS);
    return status.isPresent() ? object.with(status.get(), STATUS) : object.without(STATUS);
  }

  /** Restores the fields that belong to the server. */
  private static ObjectMeta keep(ObjectMeta sent, ObjectMeta old) {
    return sent.toBuilder()
        .namespace(old.namespace())
        .uid(old.uid())
        .resourceVersion(old.resourceVersion())
        .generation(old.generation())
        .creationTimestamp(old.creationTimestamp())
        .deletionTimestamp(old.deletionTimestamp())
        .deletionGracePeriodSeconds(old.deletionGracePeriodSeconds())
        .selfLink(null)
        .build();
  }

  private static void check(
      ServedKind served,
      Unstructured object,
      @Nullable StoredObject old,
      List<StatusCause> metadataProblems) {
    List<StatusCause> problems = new ArrayList<>(metadataProblems);
    problems.addAll(KindRules.problems(served, object, old));
    if (!problems.isEmpty()) {
      throw ApiStatusException.invalid(
          new GroupKind(served.resource().group(), served.kind()),
          requireNonNullElse(object.metadata().name(), ""),
          problems);
    }
  }

  /** Returns the desired state: the fields whose changes {@code metadata.generation} counts. */
  private static Unstructured desired(ServedKind served, Unstructured object) {
    ObjectMeta metadata =
        served.kind().equals("Deployment")
            ? ObjectMeta.builder().annotations(object.metadata().annotations()).build()
            : ObjectMeta.EMPTY;
    Unstructured desired = object.withMetadata(metadata);
    return served.hasStatus() ? desired.without(STATUS) : desired;
  }

  /** Returns a random UUID from the configured source of randomness. */
  private String uid() {
    long high = (random.nextLong() & 0xffffffffffff0fffL) | 0x4000L;
    long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }
}
