package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind that is served under a group and version.
 *
 * @param group the API group, empty for the core group
 * @param schema the schema of its structure, null if it has none
 * @param typeName the name of the structure among the named ones of the input, null if it has none
 * @param source where it was found, for error messages
 */
public record Resource(
    String group,
    String version,
    String kind,
    String plural,
    String singular,
    boolean namespaced,
    List<String> shortNames,
    List<String> verbs,
    List<String> subresources,
    @Nullable Node schema,
    @Nullable String typeName,
    Node source) {

  /** Returns {@code group/version}, or the version alone for the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** Returns {@code kind.version.group}, for messages. */
  public String describe() {
    return kind + " (" + apiVersion() + ")";
  }
}
