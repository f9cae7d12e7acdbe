package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A webhook that converts custom resources between the versions of their definition.
 *
 * <pre>{@code
 * Conversion.hub(FooV2.TYPE)
 *     .spoke(FooV1.TYPE, v1 -> v2, v2 -> v1)
 *     .spoke(FooV1Beta1.TYPE, v1beta1 -> v2, v2 -> v1beta1)
 * }</pre>
 *
 * <p>One version is the hub. Each other version is converted to it and from it, and to a third
 * version by way of it. All conversions of a server share the path {@code /convert}.
 *
 * <p>Immutable. Corresponds to controller-runtime's {@code conversion.Hub} and {@code
 * conversion.Convertible}.
 */
public final class Conversion {

  static final String PATH = "/convert";

  private final GroupKind kind;
  private final String plural;
  private final Converter converter;

  private Conversion(GroupKind kind, String plural, Converter converter) {
    this.kind = kind;
    this.plural = plural;
    this.converter = converter;
  }

  /**
   * Returns the conversion of a kind by a function on trees.
   *
   * @param plural the plural name of the resource
   */
  public static Conversion of(GroupKind kind, String plural, Converter converter) {
    return new Conversion(
        requireNonNull(kind, "kind"),
        requireNonNull(plural, "plural"),
        requireNonNull(converter, "converter"));
  }

  /** Returns the conversion of a kind by way of one of its versions, still without another. */
  public static <H extends KubernetesObject> Hub<H> hub(ResourceType<H> type) {
    return new Hub<>(type, Map.of());
  }

  GroupKind kind() {
    return kind;
  }

  Converter converter() {
    return converter;
  }

  /** Returns the name of the CustomResourceDefinition. */
  String definition() {
    return plural + "." + kind.group();
  }

  /**
   * Converts objects of one type to another.
   *
   * @param <A> the type of the given objects
   * @param <B> the type of the returned objects
   */
  @FunctionalInterface
  public interface Step<A, B> {
    /**
     * Returns the object in the other type. Metadata that is missing is restored.
     *
     * @throws Exception if the object cannot be converted; the user sees the message
     */
    B convert(A object) throws Exception;
  }

  /**
   * The versions of a kind around one of them. Immutable.
   *
   * @param <H> the type of the hub
   */
  public static final class Hub<H extends KubernetesObject> {

    private final ResourceType<H> type;
    private final Map<GroupVersion, Spoke<H, ?>> spokes;

    private Hub(ResourceType<H> type, Map<GroupVersion, Spoke<H, ?>> spokes) {
      this.type = requireNonNull(type, "type");
      this.spokes = Map.copyOf(spokes);
    }

    /**
     * Returns these versions and another.
     *
     * @param toHub converts that version to the hub
     * @param fromHub converts the hub to that version
     * @throws IllegalArgumentException if it has another group or kind, or its version is there
     */
    public <S extends KubernetesObject> Hub<H> spoke(
        ResourceType<S> spoke, Step<S, H> toHub, Step<H, S> fromHub) {
      GroupVersion version = spoke.kind().groupVersion();
      if (!spoke.kind().groupKind().equals(type.kind().groupKind())) {
        throw new IllegalArgumentException(
            spoke.kind() + " is not a version of " + type.kind().groupKind());
      }
      if (spokes.containsKey(version) || version.equals(type.kind().groupVersion())) {
        throw new IllegalArgumentException("there is a version " + version + " already");
      }
      Map<GroupVersion, Spoke<H, ?>> more = new LinkedHashMap<>(spokes);
      more.put(version, new Spoke<>(spoke, toHub, fromHub));
      return new Hub<>(type, more);
    }

    Conversion conversion() {
      return of(type.kind().groupKind(), type.resource().resource(), this::convert);
    }

    private Unstructured convert(Unstructured object, GroupVersion desired) throws Exception {
      GroupVersion from = object.groupVersionKind().groupVersion();
      H hub = isHub(from) ? object.to(type.codec()) : spoke(from).toHub(object);
      return isHub(desired) ? Unstructured.from(type.codec(), hub) : spoke(desired).fromHub(hub);
    }

    private boolean isHub(GroupVersion version) {
      return version.equals(type.kind().groupVersion());
    }

    private Spoke<H, ?> spoke(GroupVersion version) {
      Spoke<H, ?> spoke = spokes.get(version);
      if (spoke == null) {
        throw new IllegalArgumentException(
            "no conversion of the version "
                + version
                + "; there are "
                + type.kind().groupVersion()
                + " and "
                + spokes.keySet());
      }
      return spoke;
    }
  }

  /** A version that is converted to the hub and from it. */
  private record Spoke<H extends KubernetesObject, S extends KubernetesObject>(
      ResourceType<S> type, Step<S, H> toHub, Step<H, S> fromHub) {

    Spoke {
      requireNonNull(toHub, "toHub");
      requireNonNull(fromHub, "fromHub");
    }

    H toHub(Unstructured object) throws Exception {
      return requireNonNull(toHub.convert(object.to(type.codec())), "a conversion returned null");
    }

    Unstructured fromHub(H hub) throws Exception {
      return Unstructured.from(
          type.codec(), requireNonNull(fromHub.convert(hub), "a conversion returned null"));
    }
  }
}
