package dev.clientgo.apimachinery.errors;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;

/** A mapper between kinds and resources has no match, or several. */
public abstract class MappingException extends KubernetesException {

  private static final long serialVersionUID = 1;

  MappingException(String message) {
    super(message, null);
  }

  /** Returns a full or partial name of a resource in a form for people, in quotes. */
  static String quoted(GroupVersionResource partial) {
    String name = '"' + partial.groupResource().toString() + '"';
    return partial.version().isEmpty()
        ? name
        : '"' + partial.resource() + "\" in version \"" + partial.groupVersion() + '"';
  }

  /** Returns a match in a form for people. */
  static String readable(Object match) {
    if (match instanceof GroupVersionResource resource) {
      return resource.resource() + " in " + resource.groupVersion();
    }
    return match instanceof GroupVersionKind kind
        ? kind.kind() + " in " + kind.groupVersion()
        : match.toString();
  }
}
