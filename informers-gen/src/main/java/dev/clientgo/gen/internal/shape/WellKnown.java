package dev.clientgo.gen.internal.shape;

import java.util.Map;
import java.util.Set;

/** Types that api-machinery has, written by hand. */
public final class WellKnown {

  private static final String META = "dev.clientgo.apimachinery.meta.";
  private static final String META_V1 = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  public static final Shape.Known TIME = new Shape.Known(META + "Time", false, false);
  public static final Shape.Known MICRO_TIME = new Shape.Known(META + "MicroTime", false, false);
  public static final Shape.Known BYTES = new Shape.Known(META + "Bytes", false, false);
  public static final Shape.Known QUANTITY =
      new Shape.Known("dev.clientgo.apimachinery.resource.Quantity", false, false);
  public static final Shape.Known INT_OR_STRING =
      new Shape.Known("dev.clientgo.apimachinery.intstr.IntOrString", false, false);
  public static final Shape.Known CONDITION = new Shape.Known(META + "Condition", true, false);
  public static final Shape.Known OBJECT_META = new Shape.Known(META + "ObjectMeta", true, true);
  public static final Shape.Known LABEL_SELECTOR =
      new Shape.Known(META + "LabelSelector", true, false);
  static final Shape.Known UNSTRUCTURED =
      new Shape.Known("dev.clientgo.apimachinery.unstructured.Unstructured", false, false);

  /** The named types of Kubernetes' own schema that are not generated. */
  public static final Map<String, Shape> NAMED =
      Map.ofEntries(
          Map.entry(META_V1 + "Time", TIME),
          Map.entry(META_V1 + "MicroTime", MICRO_TIME),
          Map.entry(META_V1 + "ObjectMeta", OBJECT_META),
          Map.entry(
              META_V1 + "OwnerReference", new Shape.Known(META + "OwnerReference", true, false)),
          Map.entry(META_V1 + "ListMeta", new Shape.Known(META + "ListMeta", true, true)),
          Map.entry(META_V1 + "LabelSelector", LABEL_SELECTOR),
          Map.entry(
              META_V1 + "LabelSelectorRequirement",
              new Shape.Known(META + "LabelSelectorRequirement", true, false)),
          Map.entry(
              META_V1 + "DeleteOptions",
              new Shape.Known(META + "options.DeleteOptions", true, false)),
          Map.entry(
              META_V1 + "Preconditions",
              new Shape.Known(META + "options.Preconditions", true, false)),
          Map.entry(META_V1 + "Condition", CONDITION),
          Map.entry(
              META_V1 + "Status",
              new Shape.Known("dev.clientgo.apimachinery.status.Status", true, false)),
          Map.entry(META_V1 + "FieldsV1", Shape.Scalar.ANY),
          Map.entry("io.k8s.apimachinery.pkg.runtime.RawExtension", Shape.Scalar.ANY),
          Map.entry("io.k8s.apimachinery.pkg.api.resource.Quantity", QUANTITY),
          Map.entry("io.k8s.apimachinery.pkg.util.intstr.IntOrString", INT_OR_STRING));

  /** Kinds of subresources for which rest-client has a class; other types do not refer to them. */
  public static final Set<String> OF_REST_CLIENT = Set.of("io.k8s.api.autoscaling.v1.Scale");

  private WellKnown() {}

  /** Returns the type of this class, which must be an object. */
  public static Shape.Known ofClass(String className) {
    return NAMED.values().stream()
        .filter(shape -> shape instanceof Shape.Known && shape.signature().equals(className))
        .map(Shape.Known.class::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(className));
  }
}
