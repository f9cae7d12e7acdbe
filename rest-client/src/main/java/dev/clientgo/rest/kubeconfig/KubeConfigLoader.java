package dev.clientgo.rest.kubeconfig;

import static java.util.stream.Collectors.joining;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.InClusterConfig;
import dev.clientgo.rest.RestConfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds and reads kubeconfigs as {@code kubectl} does.
 *
 * <pre>{@code
 * RestConfig config = KubeConfigLoader.standard().load();
 * RestConfig staging = KubeConfigLoader.builder().context("staging").build().load();
 * }</pre>
 *
 * <p>An explicit file is read alone. Otherwise the files that the environment variable {@code
 * KUBECONFIG} lists are merged, the first to set a value winning, or else {@code ~/.kube/config} is
 * read. If there is nothing in them, and the program runs in a pod, the pod's own configuration is
 * taken.
 *
 * <p>Immutable; each call reads the files anew. Corresponds to client-go's {@code
 * clientcmd.ClientConfigLoadingRules} with {@code clientcmd.DeferredLoadingClientConfig}.
 */
public final class KubeConfigLoader {

  private final Map<String, String> env;
  private final @Nullable Path file;
  private final @Nullable String contextName;
  private final Context context;
  private final Cluster cluster;
  private final AuthInfo user;

  private KubeConfigLoader(Builder builder) {
    env = builder.env;
    file = builder.file;
    contextName = builder.contextName;
    context = builder.context;
    cluster = builder.cluster;
    user = builder.user;
  }

  /** Returns a loader that overrides nothing. */
  public static KubeConfigLoader standard() {
    return builder().build();
  }

  /** Returns a builder of a loader. */
  public static Builder builder() {
    return new Builder(System.getenv());
  }

  static Builder builder(Map<String, String> env) {
    return new Builder(env);
  }

  /**
   * Returns the configuration of the context.
   *
   * @throws ConfigException if there is none, or something is wrong with it
   */
  public RestConfig load() {
    KubeConfig config = kubeConfig();
    if (isNothing(config)) {
      if (InClusterConfig.isPossible()) {
        RestConfig inCluster = InClusterConfig.load();
        String namespace = context.namespace();
        return namespace == null ? inCluster : inCluster.toBuilder().namespace(namespace).build();
      }
      throw new ConfigException(
          "there is no kubeconfig: looked for "
              + files().stream().map(Path::toString).collect(joining(", "))
              + (env.containsKey("KUBECONFIG") ? " (from KUBECONFIG)" : "")
              + ", and this program does not run in a pod");
    }
    return new ClientConfig(config, contextName, context, cluster, user).restConfig();
  }

  private boolean isNothing(KubeConfig config) {
    return config.isEmpty() && file == null && contextName == null && cluster.server() == null;
  }

  /**
   * Returns the files merged, without overrides.
   *
   * @throws ConfigException if an explicit file does not exist, or any cannot be read
   */
  public KubeConfig kubeConfig() {
    List<KubeConfig> configs = new ArrayList<>();
    List<ConfigException> errors = new ArrayList<>();
    for (Path path : files()) {
      try {
        if (file != null || Files.exists(path)) {
          configs.add(KubeConfig.read(path));
        }
      } catch (ConfigException e) {
        errors.add(e);
      }
    }
    if (!errors.isEmpty()) {
      throw aggregate(errors);
    }
    return configs.stream().reduce(KubeConfig::mergedWith).orElse(KubeConfig.EMPTY);
  }

  /**
   * Changes the files. Each entry that is different afterwards is written to the file that it came
   * from, a new one to the explicit file, or else to the first file of the list that exists, or
   * else to the last one. Fields that this version does not know are kept; comments are not.
   *
   * <p>The change gets the files merged, with paths as they are in them. It runs while the files
   * are locked against other programs that keep to kubectl's rules, and each file is replaced as a
   * whole; a new file is readable by its owner alone.
   *
   * <p>Corresponds to client-go's {@code clientcmd.ModifyConfig}.
   *
   * @throws ConfigException if a file is locked, cannot be read or cannot be written
   */
  public void modify(UnaryOperator<KubeConfig> change) {
    List<Path> files = files();
    Path newEntries =
        files.stream().filter(Files::exists).findFirst().orElse(files.get(files.size() - 1));
    try (KubeConfigFiles locked = KubeConfigFiles.lock(files)) {
      KubeConfig before =
          files.stream()
              .map(KubeConfig::readUnresolved)
              .reduce(KubeConfig::mergedWith)
              .orElse(KubeConfig.EMPTY);
      new Modification(files, newEntries)
          .between(before, change.apply(before))
          .forEach(locked::write);
    }
  }

  private static ConfigException aggregate(List<ConfigException> errors) {
    if (errors.size() == 1) {
      return errors.get(0);
    }
    ConfigException all =
        new ConfigException(errors.stream().map(Throwable::getMessage).collect(joining("; ")));
    errors.forEach(all::addSuppressed);
    return all;
  }

  /** Returns the files that are looked at, in the order of their precedence. */
  public List<Path> files() {
    if (file != null) {
      return List.of(file);
    }
    String list = env.getOrDefault("KUBECONFIG", "");
    if (list.isEmpty()) {
      String home = env.getOrDefault("HOME", System.getProperty("user.home"));
      return List.of(Path.of(home, ".kube", "config"));
    }
    return Arrays.stream(list.split(File.pathSeparator, -1))
        .filter(path -> !path.isBlank())
        .distinct()
        .map(Path::of)
        .toList();
  }

  /** Returns the namespace of the context: as overridden, or else as in the file. */
  public Optional<String> namespace() {
    if (context.namespace() != null) {
      return Optional.of(context.namespace());
    }
    return Optional.of(load().namespace());
  }

  /** Builds a {@link KubeConfigLoader}. Not safe for use by many threads. */
  public static final class Builder {
    private final Map<String, String> env;
    private @Nullable Path file;
    private @Nullable String contextName;
    private Context context = Context.EMPTY;
    private Cluster cluster = Cluster.EMPTY;
    private AuthInfo user = AuthInfo.EMPTY;

    private Builder(Map<String, String> env) {
      this.env = env;
    }

    /** Reads this file alone. */
    public Builder file(@Nullable Path file) {
      this.file = file;
      return this;
    }

    /** Uses a context other than the current one. */
    public Builder context(@Nullable String name) {
      this.contextName = name;
      return this;
    }

    /** Uses a cluster other than that of the context. */
    public Builder cluster(@Nullable String name) {
      this.context = context.toBuilder().cluster(name).build();
      return this;
    }

    /** Uses a user other than that of the context. */
    public Builder user(@Nullable String name) {
      this.context = context.toBuilder().user(name).build();
      return this;
    }

    /** Uses a namespace other than that of the context. */
    public Builder namespace(@Nullable String namespace) {
      this.context = context.toBuilder().namespace(namespace).build();
      return this;
    }

    /** Overrides what the cluster says. */
    public Builder override(Cluster cluster) {
      this.cluster = cluster;
      return this;
    }

    /** Overrides what is said about the user. */
    public Builder override(AuthInfo user) {
      this.user = user;
      return this;
    }

    /** Returns the loader built. */
    public KubeConfigLoader build() {
      return new KubeConfigLoader(this);
    }
  }
}
