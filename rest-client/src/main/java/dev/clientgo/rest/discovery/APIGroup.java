package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An API group and its versions.
 *
 * <p>Corresponds to apimachinery's {@code meta/v1.APIGroup}.
 *
 * @param name the name, empty for the core group
 * @param versions the versions, in the order of the server's preference
 * @param preferredVersion the version that the server prefers, null if all are stale
 */
public record APIGroup(
    String name, List<GroupVersion> versions, @Nullable GroupVersion preferredVersion) {

  public APIGroup {
    requireNonNull(name, "name");
    versions = List.copyOf(versions);
  }
}
