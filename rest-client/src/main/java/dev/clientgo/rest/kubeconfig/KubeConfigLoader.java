package dev.clientgo.rest.kubeconfig;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.InClusterConfig;
import dev.clientgo.rest.config.RestConfig;
import java.io.File;
import java.net.PasswordAuthentication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
 * <p>If a file is set, the loader reads only that file. Otherwise it merges the files of the
 * environment variable {@code KUBECONFIG}, where the first to set a value wins, or reads {@code
 * ~/.kube/config}. If these set no cluster and the program runs in a pod, the loader uses the pod's
 * own configuration; if they set no namespace, it uses the pod's namespace.
 *
 * <p>Unlike client-go: it copies nothing from {@code ~/.kube/.kubeconfig}, the place of the file
 * before Kubernetes 1.0, and there is no default server {@code localhost:8080}.
 *
 * <p>Immutable; each call reads the files again. Corresponds to client-go's {@code
 * clientcmd.ClientConfigLoadingRules} with {@code clientcmd.DeferredLoadingClientConfig}.
 */
public final class KubeConfigLoader {

  private final Map<String, String> env;
  private final Supplier<RestConfig> inCluster;
  private final @Nullable Path file;
  private final @Nullable Duration timeout;
  private final Overrides overrides;

  private KubeConfigLoader(Builder builder) {
    env = builder.env;
    inCluster = builder.inCluster;
    file = builder.file;
    timeout = builder.timeout;
    overrides =
        new Overrides(
            builder.contextName,
            builder.context,
            builder.defaults,
            builder.cluster,
            builder.user,
            builder.prompt);
  }

  /** Returns a loader without overrides. */
  public static KubeConfigLoader standard() {
    return builder().build();
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder(System.getenv());
  }

  static Builder builder(Map<String, String> env) {
    return new Builder(env);
  }

  /**
   * Returns the configuration of the context.
   *
   * @throws ConfigException if there is none, or it is not valid
   */
  public RestConfig load() {
    KubeConfig config = kubeConfig();
    ClientConfig chosen = new ClientConfig(config, overrides, source());
    RestConfig loaded = chosen.hasCluster() ? inNamespace(chosen) : overridden(pod(config));
    return timeout == null ? loaded : loaded.toBuilder().timeout(timeout).build();
  }

  /**
   * As in client-go: if the context has no namespace, a program in a pod uses the pod's namespace.
   */
  private RestConfig inNamespace(ClientConfig chosen) {
    RestConfig config = chosen.restConfig();
    if (chosen.hasNamespace()) {
      return config;
    }
    RestConfig pod;
    try {
      pod = inCluster.get();
    } catch (ConfigException e) {
      return config;
    }
    return config.toBuilder().namespace(pod.namespace()).build();
  }

  private RestConfig pod(KubeConfig config) {
    try {
      return inCluster.get();
    } catch (ConfigException e) {
      throw nothing(config, e);
    }
  }

  /** A pod has one server and one user; overrides take precedence. */
  private RestConfig overridden(RestConfig pod) {
    RestConfig.Builder config = pod.toBuilder();
    if (overrides.context().namespace() != null) {
      config.namespace(overrides.context().namespace());
    }
    AuthInfo user = overrides.user();
    if (user.token() != null || user.tokenFile() != null) {
      config
          .bearerToken(user.token())
          .bearerTokenFile(user.tokenFile() == null ? null : Path.of(user.tokenFile()));
    }
    if (overrides.cluster().certificateAuthority() != null) {
      config.certificateAuthority(Path.of(overrides.cluster().certificateAuthority()));
    }
    return config.build();
  }

  private ConfigException nothing(KubeConfig config, ConfigException noPod) {
    if (!config.isEmpty()) {
      String name = config.currentContext();
      return new ConfigException(
          source()
              + (name == null
                  ? " names no current-context: choose one of its contexts ("
                      + ClientConfig.names(config.contexts(), "context")
                      + "), as kubectl config use-context does"
                  : ": context \"" + name + "\" names no cluster"));
    }
    return new ConfigException(
        "there is no "
            + (files().stream().anyMatch(Files::exists) ? "configuration in a " : "")
            + "kubeconfig: "
            + lookedFor()
            + ", and "
            + noPod.getMessage(),
        noPod);
  }

  private String lookedFor() {
    if (files().isEmpty()) {
      return "KUBECONFIG names no file";
    }
    boolean listed = file == null && !env.getOrDefault("KUBECONFIG", "").isEmpty();
    return "looked for "
        + files().stream().map(Path::toString).collect(joining(", "))
        + (listed ? " (from KUBECONFIG)" : "");
  }

  /** Returns the files that were read, for messages. */
  private String source() {
    List<Path> read = files().stream().filter(path -> file != null || Files.exists(path)).toList();
    return "kubeconfig "
        + (read.isEmpty() ? files() : read).stream().map(Path::toString).collect(joining(", "))
        + (read.isEmpty() ? " (not there)" : "");
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
   * Changes the files. A changed entry is written to the file that it came from; a new one to the
   * explicit file, else to the first file of the list that exists, else to the last one. Fields
   * that this version does not know are kept; comments are lost.
   *
   * <p>The change receives the merged files, with paths as they are in them. It runs while the
   * files are locked as by kubectl. Each file is replaced as a whole; a new file is private to its
   * owner.
   *
   * <p>Corresponds to client-go's {@code clientcmd.ModifyConfig}.
   *
   * @throws ConfigException if a file is locked, cannot be read or cannot be written
   */
  public void modify(UnaryOperator<KubeConfig> change) {
    List<Path> files = files();
    if (files.isEmpty()) {
      throw new ConfigException("KUBECONFIG names no file to write to");
    }
    Path newEntries =
        files.stream().filter(Files::exists).findFirst().orElse(files.get(files.size() - 1));
    try (KubeConfigLock locked = KubeConfigLock.lock(files)) {
      KubeConfig before =
          files.stream()
              .map(KubeConfig::readUnresolved)
              .reduce(KubeConfig::mergedWith)
              .orElse(KubeConfig.EMPTY);
      new KubeConfigDiff(files, newEntries)
          .between(before, change.apply(before))
          .forEach((path, content) -> locked.write(path, content.toYaml()));
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

  /** Returns the files that are read, in the order of precedence. */
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

  /** Returns the namespace: that of an override, else of the context, else of the pod. */
  public Optional<String> namespace() {
    if (overrides.context().namespace() != null) {
      return Optional.of(overrides.context().namespace());
    }
    return Optional.of(load().namespace());
  }

  /** Builds a {@link KubeConfigLoader}. Not safe for use by many threads. */
  public static final class Builder {
    private final Map<String, String> env;
    private Supplier<RestConfig> inCluster = InClusterConfig::load;
    private @Nullable Path file;
    private @Nullable String contextName;
    private @Nullable Duration timeout;
    private @Nullable Supplier<PasswordAuthentication> prompt;
    private Context context = Context.EMPTY;
    private Cluster defaults = Cluster.EMPTY;
    private Cluster cluster = Cluster.EMPTY;
    private AuthInfo user = AuthInfo.EMPTY;

    private Builder(Map<String, String> env) {
      this.env = env;
    }

    /** Sets the only file to read; null means the files of the environment. */
    public Builder file(@Nullable Path file) {
      this.file = file;
      return this;
    }

    /** Sets the context, instead of the current one. */
    public Builder context(@Nullable String name) {
      this.contextName = name;
      return this;
    }

    /** Sets the cluster; overrides the context. */
    public Builder cluster(@Nullable String name) {
      this.context = context.toBuilder().cluster(name).build();
      return this;
    }

    /** Sets the user; overrides the context. */
    public Builder user(@Nullable String name) {
      this.context = context.toBuilder().user(name).build();
      return this;
    }

    /** Sets the namespace; overrides the context. */
    public Builder namespace(@Nullable String namespace) {
      this.context = context.toBuilder().namespace(namespace).build();
      return this;
    }

    /** Sets the cluster settings for what neither a kubeconfig nor an override sets. */
    public Builder clusterDefaults(Cluster defaults) {
      this.defaults = defaults;
      return this;
    }

    /**
     * Sets the timeout of requests, as in kubectl's {@code --request-timeout}: seconds, or a number
     * with a unit such as {@code 2m}; {@code 0} for no limit.
     *
     * @throws ConfigException if the text is neither
     */
    public Builder timeout(String timeout) {
      this.timeout = RequestTimeout.parse(timeout);
      return this;
    }

    /**
     * Sets a prompt for a name and a password, used if the configuration has no credentials and the
     * server is reached by TLS; none by default. For a program on a terminal:
     *
     * <pre>{@code
     * builder.prompt(
     *     () -> new PasswordAuthentication(
     *         console.readLine("Username: "), console.readPassword("Password: ")));
     * }</pre>
     */
    public Builder prompt(Supplier<PasswordAuthentication> prompt) {
      this.prompt = requireNonNull(prompt, "prompt");
      return this;
    }

    Builder inCluster(Supplier<RestConfig> inCluster) {
      this.inCluster = inCluster;
      return this;
    }

    /** Overrides settings of the cluster. */
    public Builder override(Cluster cluster) {
      this.cluster = cluster;
      return this;
    }

    /** Overrides settings of the user. */
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
