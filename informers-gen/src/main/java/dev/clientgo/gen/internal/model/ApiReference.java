package dev.clientgo.gen.internal.model;

import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.Resource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where kubernetes.io describes the types of a version of Kubernetes. */
final class ApiReference {

  private static final Pattern VERSION = Pattern.compile("(v\\d{1,4}\\.\\d{1,4})(\\..*)?");
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1";

  private final @Nullable String version;

  /** The parts before the name of a type, with the group that the page has for them. */
  private final Map<String, String> groups = new HashMap<>();

  private ApiReference(@Nullable String version) {
    this.version = version;
    groups.put(META, "meta");
  }

  /** Returns the reference for the types of a catalog. */
  static ApiReference of(Catalog catalog) {
    String source = catalog.kubernetesVersion();
    Matcher version = VERSION.matcher(source == null ? "" : source);
    ApiReference reference = new ApiReference(version.matches() ? version.group(1) : null);
    for (Resource resource : catalog.resources()) {
      String type = resource.typeName();
      if (type != null && type.indexOf('.') > 0) {
        reference.groups.put(
            type.substring(0, type.lastIndexOf('.')),
            resource.group().isEmpty() ? "core" : resource.group().replace('.', '-'));
      }
    }
    return reference;
  }

  /** Returns the address of a type, null if it has none. */
  @Nullable String address(String typeName) {
    int dot = typeName.lastIndexOf('.');
    String group = dot < 0 ? null : groups.get(typeName.substring(0, dot));
    if (version == null || group == null) {
      return null;
    }
    String apiVersion = typeName.substring(typeName.lastIndexOf('.', dot - 1) + 1, dot);
    return "https://kubernetes.io/docs/reference/generated/kubernetes-api/%s/#%s-%s-%s"
        .formatted(
            version, typeName.substring(dot + 1).toLowerCase(Locale.ROOT), apiVersion, group);
  }
}
