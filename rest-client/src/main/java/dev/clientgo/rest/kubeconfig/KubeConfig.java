package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.yaml.YamlWriter;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.text.ConfigFile;
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
 * The content of a kubeconfig: clusters, users, and contexts that combine a cluster and a user.
 *
 * <p>Immutable. The text form shows no secret. Corresponds to client-go's {@code
 * clientcmd/api.Config}.
 */
public final class KubeConfig {

  /** An empty configuration. */
  public static final KubeConfig EMPTY = new Builder().build();

  private final Map<String, Cluster> clusters;
  private final Map<String, AuthInfo> users;
  private final Map<String, Context> contexts;
  private final @Nullable String currentContext;

  /** All other fields of the document. */
  private final YamlMapping rest;

  private KubeConfig(Builder builder) {
    clusters = Collections.unmodifiableMap(new LinkedHashMap<>(builder.clusters));
    users = Collections.unmodifiableMap(new LinkedHashMap<>(builder.users));
    contexts = Collections.unmodifiableMap(new LinkedHashMap<>(builder.contexts));
    currentContext = builder.currentContext;
    rest = builder.rest;
  }

  /**
   * Parses a kubeconfig. Paths in it stay as they are.
   *
   * @throws ConfigException if it is not a kubeconfig; the message names the place
   */
  public static KubeConfig parse(String text) {
    return new KubeConfigParser("the kubeconfig", null, new RelativePaths(null)).parse(text);
  }

  /**
   * Parses a kubeconfig of a writer who must not act in this process, such as that of a Secret.
   *
   * <p>An entry is refused if its use would run a program ({@code exec}), ask an identity provider
   * ({@code auth-provider}), or read a file of this machine ({@code tokenFile}, {@code
   * client-certificate}, {@code client-key}, {@code certificate-authority}): the content would go
   * to the server that the text names. Certificates, keys and tokens must be in the text.
   *
   * <p>The text still chooses where requests go: {@code server} and {@code proxy-url} may be any
   * address that this process reaches. A program in a network with private servers should compare
   * {@link Cluster#server} with those that it expects. {@code insecure-skip-tls-verify} lets a
   * program on the way read and change all requests to that cluster. {@code http://} servers get no
   * credentials.
   *
   * @throws ConfigException if it is not a kubeconfig, or an entry is refused; the message lists
   *     each refused entry and its field
   */
  public static KubeConfig parseUntrusted(String text) {
    KubeConfig config = parse(text);
    Validation problems = new Validation();
    config.clusters.forEach((name, entry) -> problems.untrusted("cluster", name, entry.tree()));
    config.users.forEach((name, entry) -> problems.untrusted("user", name, entry.tree()));
    problems.throwIfAny();
    return config;
  }

  /**
   * Reads a kubeconfig from a file, and resolves relative paths in it against its directory.
   *
   * @throws ConfigException if the file cannot be read or is not a kubeconfig
   */
  public static KubeConfig read(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    try {
      return new KubeConfigParser("kubeconfig " + file, absolute, new RelativePaths(absolute))
          .parse(ConfigFile.readText(file));
    } catch (NoSuchFileException e) {
      throw new ConfigException("there is no kubeconfig " + file, e);
    } catch (IOException e) {
      throw new ConfigException("cannot read kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a kubeconfig from a file, with paths as they are in it; empty if there is no file.
   *
   * @throws ConfigException if the file cannot be read or is not a kubeconfig
   */
  static KubeConfig readUnresolved(Path file) {
    if (!Files.exists(file)) {
      return EMPTY;
    }
    try {
      String text = ConfigFile.readText(file);
      Path absolute = file.toAbsolutePath().normalize();
      return new KubeConfigParser("kubeconfig " + file, absolute, new RelativePaths(null))
          .parse(text);
    } catch (IOException e) {
      throw new ConfigException("cannot read kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  /** Returns a builder of an empty configuration. */
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
   * Returns the configuration of the current context, without overrides.
   *
   * @throws ConfigException if it is not valid
   */
  public RestConfig restConfig() {
    return new ClientConfig(this, Overrides.NONE, "the kubeconfig").restConfig();
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

  /** Returns the name of the default context, null if there is none. */
  public @Nullable String currentContext() {
    return currentContext;
  }

  /** Returns the preferences that programs keep in this file: maps, lists, strings, numbers. */
  public Map<String, Object> preferences() {
    YamlMapping preferences = rest.tree("preferences");
    return preferences == null ? Map.of() : preferences.fields();
  }

  /**
   * Returns the extension of that name: maps, lists, strings, numbers and booleans; null if absent.
   */
  public @Nullable Object extension(String name) {
    return rest.extension(name);
  }

  YamlMapping rest() {
    return rest;
  }

  /** Returns whether there is no cluster, user, context or current context. */
  public boolean isEmpty() {
    return clusters.isEmpty() && users.isEmpty() && contexts.isEmpty() && currentContext == null;
  }

  /**
   * Returns a copy with the entries of another configuration added. Of entries with one name, this
   * one's stays as a whole.
   */
  public KubeConfig mergedWith(KubeConfig other) {
    Builder merged = toBuilder();
    other.clusters.forEach(merged.clusters::putIfAbsent);
    other.users.forEach(merged.users::putIfAbsent);
    other.contexts.forEach(merged.contexts::putIfAbsent);
    if (currentContext == null) {
      merged.currentContext = other.currentContext;
    }
    merged.rest = other.rest.overlaidBy(rest).withExtensionsOf(other.rest);
    return merged.build();
  }

  /**
   * Returns only the current context, its cluster and its user.
   *
   * <p>Corresponds to client-go's {@code clientcmd/api.MinifyConfig}.
   *
   * @throws ConfigException if there is no current context, or it, its cluster or its user does not
   *     exist
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
      minified.cluster(context.cluster(), located(clusters, "cluster", context.cluster()));
    }
    if (context.user() != null) {
      minified.user(context.user(), located(users, "user", context.user()));
    }
    return minified.build();
  }

  private static <T> T located(Map<String, T> entries, String what, String name) {
    T entry = entries.get(name);
    if (entry == null) {
      throw new ConfigException("cannot locate " + what + " " + name);
    }
    return entry;
  }

  /**
   * Returns a copy to show to people: with placeholders for secrets, certificates and keys.
   *
   * <p>Corresponds to client-go's {@code clientcmd/api.ShortenConfig} and {@code RedactSecrets}.
   * Unlike client-go: tokens of auth providers and the environment of plugins are secrets, too.
   */
  public KubeConfig shorten() {
    Builder shown = toBuilder();
    clusters.forEach(
        (name, cluster) ->
            shown.cluster(name, new Cluster(Redaction.shorten(cluster.tree()), cluster.origin())));
    users.forEach(
        (name, user) ->
            shown.user(name, new AuthInfo(Redaction.shorten(user.tree()), user.origin())));
    return shown.build();
  }

  /**
   * Checks all entries, whether they are used or not.
   *
   * <p>Corresponds to client-go's {@code clientcmd.Validate}. The use of a context checks less: a
   * user that does not exist is anonymous, as in kubectl.
   *
   * @throws ConfigException if an entry is not valid; the message lists all problems
   */
  public void validate() {
    Validation problems = new Validation();
    if (isEmpty()) {
      problems.add("there is no cluster, no user and no context");
    } else if (currentContext != null && !contexts.containsKey(currentContext)) {
      problems.add("the current-context \"" + currentContext + "\" does not exist");
    }
    contexts.forEach((name, context) -> problems.context(name, context, users, clusters));
    users.forEach(problems::user);
    clusters.forEach(problems::cluster);
    problems.throwIfAny();
  }

  /**
   * Returns a copy with the content of certificate and key files instead of their paths, so that it
   * can be moved to another machine.
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
                    FileInliner.inline(cluster.tree(), "certificate-authority"),
                    cluster.origin())));
    users.forEach(
        (name, user) -> {
          YamlMapping certificate = FileInliner.inline(user.tree(), "client-certificate");
          flat.user(
              name, new AuthInfo(FileInliner.inline(certificate, "client-key"), user.origin()));
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
    return YamlWriter.format(document);
  }

  private static <T> List<Map<String, Object>> list(
      Map<String, T> entries, String field, java.util.function.Function<T, YamlMapping> tree) {
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
    private YamlMapping rest = YamlMapping.EMPTY;

    private Builder() {}

    /** Sets a cluster, or removes it if it is null. */
    public Builder cluster(String name, @Nullable Cluster cluster) {
      set(clusters, name, cluster);
      return this;
    }

    /** Sets a user, or removes it if it is null. */
    public Builder user(String name, @Nullable AuthInfo user) {
      set(users, name, user);
      return this;
    }

    /** Sets a context, or removes it if it is null. */
    public Builder context(String name, @Nullable Context context) {
      set(contexts, name, context);
      return this;
    }

    /** Sets the name of the default context. */
    public Builder currentContext(@Nullable String currentContext) {
      this.currentContext = currentContext;
      return this;
    }

    /** Sets the preferences that programs keep in the file. */
    public Builder preferences(Map<String, ?> preferences) {
      rest = rest.with("preferences", new LinkedHashMap<>(preferences));
      return this;
    }

    /**
     * Sets the extension of that name: maps, lists, strings, numbers and booleans; null removes it.
     */
    public Builder extension(String name, @Nullable Object extension) {
      rest = rest.withExtension(name, extension);
      return this;
    }

    Builder rest(YamlMapping rest) {
      this.rest = rest;
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
