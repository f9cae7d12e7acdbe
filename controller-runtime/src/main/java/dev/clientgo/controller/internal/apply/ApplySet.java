package dev.clientgo.controller.internal.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The labels and annotations by which other tools, such as {@code kubectl}, recognize the children
 * of an owner as a set: those of KEP-3659.
 */
public final class ApplySet {

  /** The label of each member, with the id of the set. */
  public static final String PART_OF = "applyset.kubernetes.io/part-of";

  private static final String ID = "applyset.kubernetes.io/id";
  private static final String TOOLING = "applyset.kubernetes.io/tooling";
  private static final String KINDS = "applyset.kubernetes.io/contains-group-kinds";

  private ApplySet() {}

  /** Returns the id of the set of an owner. */
  public static String id(GroupVersionKind kind, ObjectName owner) {
    String identity =
        owner.name() + "." + owner.namespace() + "." + kind.kind() + "." + kind.group();
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(UTF_8));
      return "applyset-" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "-v1";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("each JVM has SHA-256", e);
    }
  }

  /**
   * Returns the patch that marks an owner as the parent of its set, so that another tool finds the
   * children of each kind; empty if it is marked.
   *
   * @throws IllegalStateException if it is the parent of another tool's set; the two would mark it
   *     in turn, without end
   */
  public static Optional<Patch> mark(
      KubernetesObject owner, String id, String controller, List<ResourceType<?>> kinds) {
    String tool = controller + "/v1";
    String present = owner.metadata().annotations().getOrDefault(TOOLING, tool);
    if (!present.equals(tool)) {
      throw new IllegalStateException(
          "%s %s is the parent of the ApplySet of %s, and cannot be that of %s: remove its annotation %s if that tool no longer needs it"
              .formatted(owner.kind(), ObjectName.of(owner), present, tool, TOOLING));
    }
    Map<String, String> labels = Map.of(ID, id);
    Map<String, String> annotations =
        Map.of(
            TOOLING,
            tool,
            KINDS,
            kinds.stream()
                .map(type -> type.kind().groupKind().toString())
                .sorted()
                .collect(Collectors.joining(",")));
    ObjectMeta metadata = owner.metadata();
    String uid = requireNonNull(metadata.uid(), "uid");
    boolean isMarked =
        metadata.labels().entrySet().containsAll(labels.entrySet())
            && metadata.annotations().entrySet().containsAll(annotations.entrySet());
    Map<String, ?> wanted = Map.of("uid", uid, "labels", labels, "annotations", annotations);
    return isMarked ? Optional.empty() : Optional.of(Patch.merge(Map.of("metadata", wanted)));
  }
}
