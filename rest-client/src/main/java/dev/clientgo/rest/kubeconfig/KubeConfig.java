package dev.clientgo.rest.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.RestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in a kubeconfig: clusters, users, and contexts that put one of each together.
 *
 * <p>Immutable. The text form shows no secret. Corresponds to client-go's {@code
 * clientcmd/api.Config}.
 */
public final class KubeConfig {

  /** A configuration without anything in it. */
  public static final KubeConfig EMPTY = new Builder().build();

  private final Map<String, Cluster> clusters;
  private final Map<String, AuthInfo> users;
  private final Map<String, Context> contexts;
  private final @Nullable String currentContext;

  /** The fields of the document that are not among the others. */
  private final Tree rest;

  private KubeConfig(Builder builder) {
    clusters = Collections.unmodifiableMap(new LinkedHashMap<>(builder.clusters));
    users = Collections.unmodifiableMap(new LinkedHashMap<>(builder.users));
    contexts = Collections.unmodifiableMap(new LinkedHashMap<>(builder.contexts));
    currentContext = builder.currentContext;
    rest = builder.rest;
  }

  /**
   * Reads a kubeconfig. Paths in it stay as they are.
   *
   * @throws ConfigException if it is no kubeconfig; the message says where
   */
  public static KubeConfig parse(String text) {
    return parse(text, "the kubeconfig", null);
  }

  /**
   * Reads a kubeconfig from a file. Relative paths in it are resolved against its directory.
   *
   * @throws ConfigException if the file cannot be read or is no kubeconfig
   */
  public static KubeConfig read(Path file) {
    try {
      return parse(
          Files.readString(file, UTF_8), "kubeconfig " + file, file.toAbsolutePath().normalize());
    } catch (NoSuchFileException e) {
      throw new ConfigException("there is no kubeconfig " + file, e);
    } catch (IOException e) {
      throw new ConfigException(
          "cannot read kubeconfig "
              + file
              + (Files.isDirectory(file) ? ": it is a directory" : ": " + e.getMessage()),
          e);
    }
  }

  /**
   * Reads a kubeconfig from a file, with the paths as they are in it; empty if there is no file.
   *
   * @throws ConfigException if the file cannot be read or is no kubeconfig
   */
  static KubeConfig readUnresolved(Path file) {
    if (!Files.exists(file)) {
      return EMPTY;
    }
    try {
      String text = Files.readString(file, UTF_8);
      Path absolute = file.toAbsolutePath().normalize();
      return parse(text, "kubeconfig " + file, absolute, new LocalPaths(null));
    } catch (IOException e) {
      throw new ConfigException("cannot read kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  private static KubeConfig parse(String text, String origin, @Nullable Path file) {
    return parse(text, origin, file, new LocalPaths(file));
  }

  private static KubeConfig parse(
      String text, String origin, @Nullable Path file, LocalPaths paths) {
    Tree document = Tree.of(Yaml.parse(text, origin), origin);
    Builder config = new Builder();
    named(document, "clusters", "cluster")
        .forEach((name, tree) -> config.cluster(name, new Cluster(paths.resolve(tree), file)));
    named(document, "users", "user")
        .forEach((name, tree) -> config.user(name, new AuthInfo(paths.resolve(tree), file)));
    named(document, "contexts", "context")
        .forEach((name, tree) -> config.context(name, new Context(tree, file)));
    named(document, "extensions", "extension");
    config.currentContext(document.string("current-context"));
    config.rest = document;
    for (String field : List.of("clusters", "users", "contexts", "current-context")) {
      config.rest = config.rest.with(field, null);
    }
    return config.build();
  }

  private static Map<String, Tree> named(Tree document, String list, String field) {
    Map<String, Tree> entries = new LinkedHashMap<>();
    for (Tree entry : document.trees(list)) {
      String name = entry.string("name");
      Tree value = entry.tree(field);
      if (name == null) {
        throw entry.error("has no name");
      }
      if (entries.put(name, value == null ? Tree.EMPTY : value) != null) {
        throw entry.error(
            "is the second one named \"" + name + "\": rename or remove one of the two");
      }
    }
    return entries;
  }

  /** Returns a builder of a configuration without anything in it. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with this configuration. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.clusters.putAll(clusters);
    builder.users.putAll(users);
    builder.contexts.putAll(contexts);
    builder.currentContext = currentContext;
    builder.rest = rest;
    return builder;
  }

  /**
   * Returns the configuration of the current context, with nothing overridden.
   *
   * @throws ConfigException if something is wrong with it
   */
  public RestConfig restConfig() {
    return new ClientConfig(this, null, Context.EMPTY, Cluster.EMPTY, AuthInfo.EMPTY).restConfig();
  }

  /** Returns the clusters by name. */
  public Map<String, Cluster> clusters() {
    return clusters;
  }

  /** Returns the users by name. */
  public Map<String, AuthInfo> users() {
    return users;
  }

  /** Returns the contexts by name. */
  public Map<String, Context> contexts() {
    return contexts;
  }

  /** Returns the name of the context that is used if no other is asked for. */
  public @Nullable String currentContext() {
    return currentContext;
  }

  /** Returns whether there is no cluster, no user, no context and no name of one. */
  public boolean isEmpty() {
    return clusters.isEmpty() && users.isEmpty() && contexts.isEmpty() && currentContext == null;
  }

  /**
   * Returns this configuration with what another one has besides. Where both have an entry of a
   * name, ours stays as a whole.
   */
  public KubeConfig mergedWith(KubeConfig other) {
    Builder merged = toBuilder();
    other.clusters.forEach(merged.clusters::putIfAbsent);
    other.users.forEach(merged.users::putIfAbsent);
    other.contexts.forEach(merged.contexts::putIfAbsent);
    if (currentContext == null) {
      merged.currentContext = other.currentContext;
    }
    merged.rest = other.rest.overlaidBy(rest);
    return merged.build();
  }

  /**
   * Returns the part that one context needs: itself, its cluster and its user.
   *
   * <p>Corresponds to client-go's {@code clientcmd/api.MinifyConfig}.
   *
   * @throws ConfigException if there is no current context, or it does not exist
   */
  public KubeConfig minify() {
    String name = currentContext;
    Context context = name == null ? null : contexts.get(name);
    if (name == null || context == null) {
      throw new ConfigException(
          name == null
              ? "current-context must exist in order to minify"
              : "cannot locate context " + name);
    }
    Builder minified = builder().context(name, context).currentContext(name);
    minified.rest = rest;
    if (context.cluster() != null) {
      minified.cluster(context.cluster(), clusters.get(context.cluster()));
    }
    if (context.user() != null) {
      minified.user(context.user(), users.get(context.user()));
    }
    return minified.build();
  }

  /**
   * Returns this configuration with what is in the files of certificates and keys in place of their
   * names, so that it can be moved elsewhere.
   *
   * <p>Corresponds to client-go's {@code clientcmd/api.FlattenConfig}.
   *
   * @throws ConfigException if a file cannot be read
   */
  public KubeConfig flatten() {
    Builder flat = toBuilder();
    clusters.forEach(
        (name, cluster) ->
            flat.cluster(
                name,
                new Cluster(
                    Inlining.inline(cluster.tree(), "certificate-authority"), cluster.origin())));
    users.forEach(
        (name, user) -> {
          Tree certificate = Inlining.inline(user.tree(), "client-certificate");
          flat.user(name, new AuthInfo(Inlining.inline(certificate, "client-key"), user.origin()));
        });
    return flat.build();
  }

  /** Returns this configuration as YAML, secrets included. */
  public String toYaml() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("apiVersion", "v1");
    document.put("kind", "Config");
    document.putAll(rest.fields());
    document.put("clusters", list(clusters, "cluster", cluster -> cluster.tree()));
    document.put("users", list(users, "user", user -> user.tree()));
    document.put("contexts", list(contexts, "context", context -> context.tree()));
    document.put("current-context", currentContext == null ? "" : currentContext);
    return Yaml.format(document);
  }

  private static <T> List<Map<String, Object>> list(
      Map<String, T> entries, String field, java.util.function.Function<T, Tree> tree) {
    List<Map<String, Object>> list = new ArrayList<>();
    entries.forEach(
        (name, value) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("name", name);
          entry.put(field, tree.apply(value).fields());
          list.add(entry);
        });
    return list;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KubeConfig config
        && clusters.equals(config.clusters)
        && users.equals(config.users)
        && contexts.equals(config.contexts)
        && java.util.Objects.equals(currentContext, config.currentContext)
        && rest.equals(config.rest);
  }

  @Override
  public int hashCode() {
    return java.util.Objects.hash(clusters, users, contexts, currentContext, rest);
  }

  @Override
  public String toString() {
    return "KubeConfig[clusters="
        + clusters.keySet()
        + ", users="
        + users.keySet()
        + ", contexts="
        + contexts.keySet()
        + ", currentContext="
        + currentContext
        + "]";
  }

  /** Builds a {@link KubeConfig}. Not safe for use by many threads. */
  public static final class Builder {
    private final Map<String, Cluster> clusters = new LinkedHashMap<>();
    private final Map<String, AuthInfo> users = new LinkedHashMap<>();
    private final Map<String, Context> contexts = new LinkedHashMap<>();
    private @Nullable String currentContext;
    private Tree rest = Tree.EMPTY;

    private Builder() {}

    /** Adds or replaces a cluster; removes it if it is null. */
    public Builder cluster(String name, @Nullable Cluster cluster) {
      set(clusters, name, cluster);
      return this;
    }

    /** Adds or replaces a user; removes it if it is null. */
    public Builder user(String name, @Nullable AuthInfo user) {
      set(users, name, user);
      return this;
    }

    /** Adds or replaces a context; removes it if it is null. */
    public Builder context(String name, @Nullable Context context) {
      set(contexts, name, context);
      return this;
    }

    /** Sets the name of the context that is used if no other is asked for. */
    public Builder currentContext(@Nullable String currentContext) {
      this.currentContext = currentContext;
      return this;
    }

    private static <T> void set(Map<String, T> entries, String name, @Nullable T value) {
      if (value == null) {
        entries.remove(name);
      } else {
        entries.put(name, value);
      }
    }

    /** Returns the configuration built. */
    public KubeConfig build() {
      return new KubeConfig(this);
    }
  }
}
