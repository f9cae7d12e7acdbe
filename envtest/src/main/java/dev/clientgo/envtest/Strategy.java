package dev.clientgo.envtest;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.envtest.Failures.FieldError;
import dev.clientgo.envtest.Resource.Trait;
import dev.clientgo.envtest.Resource.Version;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * What the server itself writes into objects, and what it refuses.
 *
 * <p>Corresponds to the API server's {@code registry/rest.BeforeCreate} and {@code BeforeUpdate}
 * and to the strategies of the kinds.
 */
final class Strategy {

  private static final String METADATA = "metadata";
  private static final String STATUS = "status";

  private final Clock clock;
  private final RandomGenerator random;

  Strategy(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns an object as it is stored when it is created. */
  Map<String, Object> create(
      Resource resource, Version version, String namespace, Map<String, Object> sent) {
    Map<String, Object> object = sent;
    String base = Tree.string(object, METADATA, "generateName");
    if (Tree.string(object, METADATA, "name").isEmpty() && !base.isEmpty()) {
      object = Tree.with(object, Names.generate(base, random), METADATA, "name");
    }
    object = Tree.with(object, namespace.isEmpty() ? null : namespace, METADATA, "namespace");
    object = Tree.with(object, uid(), METADATA, "uid");
    object = Tree.with(object, null, METADATA, "resourceVersion");
    object = Tree.with(object, resource.is(Trait.GENERATION) ? 1L : null, METADATA, "generation");
    object = Tree.with(object, now(), METADATA, "creationTimestamp");
    object = Tree.with(object, null, METADATA, "deletionTimestamp");
    object = Tree.with(object, null, METADATA, "deletionGracePeriodSeconds");
    object = InitialState.of(resource, version, object);
    check(resource, object, List.of());
    return object;
  }

  /** Returns an object as it is stored when it is replaced. */
  Map<String, Object> update(
      Resource resource, Version version, Map<String, Object> sent, Stored old) {
    Map<String, Object> object = keepMetadata(sent, old);
    if (version.hasStatus()) {
      object = Tree.with(object, old.tree().get(STATUS), STATUS);
    }
    check(resource, object, metadataErrors(object, old));
    if (resource.is(Trait.GENERATION) && !desired(object, version).equals(desired(old, version))) {
      object = Tree.with(object, generation(old) + 1, METADATA, "generation");
    }
    return object;
  }

  /** Returns an object as it is stored when its status is replaced. */
  Map<String, Object> updateStatus(Resource resource, Map<String, Object> sent, Stored old) {
    Map<String, Object> object =
        resource.is(Trait.CUSTOM) ? old.tree() : keepRest(keepMetadata(sent, old), old);
    object = Tree.with(object, sent.get(STATUS), STATUS);
    check(resource, object, metadataErrors(object, old));
    return object;
  }

  /** Status updates of built-in kinds take the metadata along, but nothing else. */
  private static Map<String, Object> keepRest(Map<String, Object> object, Stored old) {
    return Tree.with(old.tree(), object.get(METADATA), METADATA);
  }

  private static Map<String, Object> keepMetadata(Map<String, Object> sent, Stored old) {
    Map<String, Object> object = sent;
    Map<String, Object> before = Tree.object(old.tree(), METADATA);
    for (String field :
        List.of(
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds")) {
      object = Tree.with(object, before.get(field), METADATA, field);
    }
    return object;
  }

  private static List<FieldError> metadataErrors(Map<String, Object> object, Stored old) {
    List<FieldError> errors = new ArrayList<>();
    if (Tree.get(old.tree(), METADATA, "deletionTimestamp") != null) {
      List<String> added = new ArrayList<>(Tree.strings(object, METADATA, "finalizers"));
      added.removeAll(Tree.strings(old.tree(), METADATA, "finalizers"));
      if (!added.isEmpty()) {
        errors.add(
            FieldError.forbidden(
                "metadata.finalizers",
                "no new finalizers can be added if the object is being deleted, found new"
                    + " finalizers []string{\""
                    + String.join("\", \"", added)
                    + "\"}"));
      }
    }
    return errors;
  }

  private static void check(Resource resource, Map<String, Object> object, List<FieldError> found) {
    List<FieldError> errors = new ArrayList<>(Names.check(resource, object));
    errors.addAll(found);
    if (!errors.isEmpty()) {
      throw Failures.invalid(resource.groupKind(), Tree.string(object, METADATA, "name"), errors);
    }
  }

  private static Map<String, Object> desired(Stored object, Version version) {
    return desired(object.tree(), version);
  }

  /** Returns what {@code metadata.generation} counts the changes of. */
  private static Map<String, Object> desired(Map<String, Object> object, Version version) {
    Map<String, Object> desired = Tree.with(object, null, METADATA);
    return version.hasStatus() ? Tree.with(desired, null, STATUS) : desired;
  }

  static long generation(Stored object) {
    return Objects.requireNonNullElse(Tree.number(object.tree(), METADATA, "generation"), 0L);
  }

  /** Returns the time in the precision of metadata. */
  String now() {
    return timestamp(clock.now());
  }

  static String timestamp(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private String uid() {
    // A random UUID of version 4, of our own source of randomness.
    long high = (random.nextLong() & 0xffffffffffff0fffL) | 0x4000L;
    long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low).toString();
  }
}
