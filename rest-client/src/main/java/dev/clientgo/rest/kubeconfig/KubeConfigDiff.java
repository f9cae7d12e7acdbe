package dev.clientgo.rest.kubeconfig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns the difference between two configurations into new contents of their files.
 *
 * <p>Corresponds to client-go's {@code clientcmd.ModifyConfig}.
 */
final class KubeConfigDiff {

  private final List<Path> files;
  private final Path newEntries;
  private final Map<Path, KubeConfig.Builder> changed = new LinkedHashMap<>();

  /**
   * Creates a diff without changes.
   *
   * @param files the files of the configuration, in the order of precedence
   * @param newEntries the file for new entries
   */
  KubeConfigDiff(List<Path> files, Path newEntries) {
    this.files = files;
    this.newEntries = newEntries;
  }

  /** Returns the changed files with their new contents. */
  Map<Path, KubeConfig> between(KubeConfig before, KubeConfig after) {
    currentContext(before, after);
    entries(
        before.clusters(),
        after.clusters(),
        Cluster::origin,
        (file, name, value) -> file.cluster(name, value == null ? null : relative(value)));
    entries(
        before.users(),
        after.users(),
        AuthInfo::origin,
        (file, name, value) -> file.user(name, value == null ? null : relative(value)));
    entries(before.contexts(), after.contexts(), Context::origin, KubeConfig.Builder::context);
    rest(before.rest(), after.rest());
    Map<Path, KubeConfig> contents = new LinkedHashMap<>();
    changed.forEach((file, content) -> contents.put(file, content.build()));
    return contents;
  }

  /** Writes preferences, extensions and other fields to the first file that has the field. */
  private void rest(YamlMapping before, YamlMapping after) {
    Set<String> fields = new LinkedHashSet<>(after.fields().keySet());
    fields.addAll(before.fields().keySet());
    for (String field : fields) {
      Object now = after.fields().get(field);
      if (!Objects.equals(before.fields().get(field), now)) {
        Path home =
            files.stream()
                .filter(Files::exists)
                .filter(path -> KubeConfig.readUnresolved(path).rest().has(field))
                .findFirst()
                .orElse(newEntries);
        KubeConfig.Builder file = file(home(home));
        file.rest(file.build().rest().with(field, now));
      }
    }
  }

  private Cluster relative(Cluster cluster) {
    return new Cluster(
        new RelativePaths(home(cluster.origin())).relativize(cluster.tree()), cluster.origin());
  }

  private AuthInfo relative(AuthInfo user) {
    return new AuthInfo(
        new RelativePaths(home(user.origin())).relativize(user.tree()), user.origin());
  }

  private Path home(@Nullable Path origin) {
    return (origin == null ? newEntries : origin).toAbsolutePath().normalize();
  }

  /** Sets or removes an entry of a file. */
  private interface Setter<T> {
    void set(KubeConfig.Builder file, String name, @Nullable T value);
  }

  private <T> void entries(
      Map<String, T> before,
      Map<String, T> after,
      Function<T, @Nullable Path> origin,
      Setter<T> setter) {
    Set<String> names = new LinkedHashSet<>(after.keySet());
    names.addAll(before.keySet());
    for (String name : names) {
      T old = before.get(name);
      T now = after.get(name);
      if (!Objects.equals(old, now)) {
        T located = now == null ? Objects.requireNonNull(old) : now;
        setter.set(file(home(origin.apply(located))), name, now);
      }
    }
  }

  private KubeConfig.Builder file(Path file) {
    return changed.computeIfAbsent(file, path -> KubeConfig.readUnresolved(path).toBuilder());
  }

  private void currentContext(KubeConfig before, KubeConfig after) {
    String name = after.currentContext();
    if (Objects.equals(before.currentContext(), name)) {
      return;
    }
    if (name != null) {
      file(home(null)).currentContext(name);
      return;
    }
    // The first file that sets it takes precedence.
    files.stream()
        .filter(Files::exists)
        .filter(path -> KubeConfig.readUnresolved(path).currentContext() != null)
        .findFirst()
        .ifPresent(path -> file(home(path)).currentContext(null));
  }
}
