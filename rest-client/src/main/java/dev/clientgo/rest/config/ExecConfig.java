package dev.clientgo.rest.config;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A credential plugin: a program that prints a token, a client certificate, or both. It reads its
 * task from the environment variable {@code KUBERNETES_EXEC_INFO} and prints the credentials to its
 * standard output; its standard error goes to that of this program. No shell is involved.
 *
 * <p>A client keeps the credentials until they expire or the server rejects them. It runs the
 * plugin once at a time, and all threads that wait for the run share its result or its error.
 *
 * <p>Immutable. The text form shows neither arguments nor environment, which may contain secrets.
 * Corresponds to client-go's {@code clientcmd/api.ExecConfig}. Unlike client-go: the plugin has a
 * timeout.
 */
public final class ExecConfig {

  /** The current version of the plugin protocol, {@value}. */
  public static final String V1 = "client.authentication.k8s.io/v1";

  /** The version before {@link #V1}, {@value}. */
  public static final String V1BETA1 = "client.authentication.k8s.io/v1beta1";

  /** The default timeout, 5 minutes: long enough to log in with a browser. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  /** Whether the plugin may ask the user a question, on the standard input of this program. */
  public enum InteractiveMode {
    /** It asks no question. */
    NEVER("Never"),
    /** It asks if it can. */
    IF_AVAILABLE("IfAvailable"),
    /** It is run only if it can ask. */
    ALWAYS("Always");

    private final String text;

    InteractiveMode(String text) {
      this.text = text;
    }

    /**
     * Returns the mode of a name, as in a kubeconfig.
     *
     * @throws ConfigException if there is no such mode
     */
    public static InteractiveMode parse(String text) {
      for (InteractiveMode mode : values()) {
        if (mode.text.equals(text)) {
          return mode;
        }
      }
      throw new ConfigException(
          "interactiveMode is \"" + text + "\", but must be Never, IfAvailable or Always");
    }

    /** Returns the name, as in a kubeconfig. */
    @Override
    public String toString() {
      return text;
    }
  }

  private final Builder values;

  private ExecConfig(Builder builder) {
    values = new Builder(builder);
  }

  /**
   * Returns a builder.
   *
   * @param apiVersion the protocol, {@link #V1} or {@link #V1BETA1}
   * @param command the program: a path, or a name that is looked up in {@code PATH}
   */
  public static Builder builder(String apiVersion, String command) {
    return new Builder(apiVersion, command);
  }

  /** Returns a builder that starts with this configuration. */
  public Builder toBuilder() {
    return new Builder(values);
  }

  /** Returns the version of the plugin protocol. */
  public String apiVersion() {
    return values.apiVersion;
  }

  /** Returns the program: a path, or a name that is looked up in {@code PATH}. */
  public String command() {
    return values.command;
  }

  /** Returns the arguments. */
  public List<String> args() {
    return values.args;
  }

  /** Returns the variables to add to the environment of the plugin. */
  public Map<String, String> env() {
    return Collections.unmodifiableMap(values.env);
  }

  /** Returns the message for a user who has not installed the plugin, null for none. */
  public @Nullable String installHint() {
    return values.installHint;
  }

  /** Returns whether the plugin receives the cluster that the credentials are for. */
  public boolean provideClusterInfo() {
    return values.provideClusterInfo;
  }

  /** Returns whether the plugin may ask the user a question. */
  public InteractiveMode interactiveMode() {
    return requireNonNull(values.interactiveMode);
  }

  /** Returns the timeout of one run. */
  public Duration timeout() {
    return values.timeout;
  }

  /** Returns whether this program needs its standard input for itself. */
  public boolean stdinUnavailable() {
    return values.stdinUnavailable;
  }

  /** Returns why this program needs its standard input, for messages; may be empty. */
  public String stdinUnavailableMessage() {
    return values.stdinUnavailableMessage;
  }

  /** Returns the additional cluster data for the plugin, null for none. */
  public @Nullable Object clusterConfig() {
    return values.clusterConfig;
  }

  /** Returns the command and the place of this configuration, for messages. */
  public String describe() {
    return "credential plugin "
        + values.command
        + (values.origin == null ? "" : " (of " + values.origin + ")");
  }

  /** Returns the command and the place of this configuration. */
  @Override
  public String toString() {
    return describe();
  }

  /** Builds an {@link ExecConfig}. Not safe for use by many threads. */
  public static final class Builder {
    private final String apiVersion;
    private final String command;
    private List<String> args = List.of();
    private final Map<String, String> env = new LinkedHashMap<>();
    private @Nullable String installHint;
    private boolean provideClusterInfo;
    private @Nullable InteractiveMode interactiveMode;
    private boolean stdinUnavailable;
    private String stdinUnavailableMessage = "";
    private Duration timeout = DEFAULT_TIMEOUT;
    private @Nullable Object clusterConfig;
    private @Nullable String origin;

    private Builder(String apiVersion, String command) {
      this.apiVersion = requireNonNull(apiVersion, "apiVersion");
      this.command = requireNonNull(command, "command");
    }

    private Builder(Builder other) {
      this(other.apiVersion, other.command);
      args = other.args;
      env.putAll(other.env);
      installHint = other.installHint;
      provideClusterInfo = other.provideClusterInfo;
      interactiveMode = other.interactiveMode;
      stdinUnavailable = other.stdinUnavailable;
      stdinUnavailableMessage = other.stdinUnavailableMessage;
      timeout = other.timeout;
      clusterConfig = other.clusterConfig;
      origin = other.origin;
    }

    /** Sets the arguments. */
    public Builder args(List<String> args) {
      this.args = List.copyOf(args);
      return this;
    }

    /** Sets a variable in the environment of the plugin. */
    public Builder env(String name, String value) {
      env.put(requireNonNull(name, "name"), requireNonNull(value, "value"));
      return this;
    }

    /** Sets the message for a user who has not installed the plugin. */
    public Builder installHint(@Nullable String installHint) {
      this.installHint = installHint;
      return this;
    }

    /** Sets whether the plugin receives the cluster that the credentials are for. */
    public Builder provideClusterInfo(boolean provideClusterInfo) {
      this.provideClusterInfo = provideClusterInfo;
      return this;
    }

    /**
     * Sets whether the plugin may ask the user a question. {@link #V1} requires it; with {@link
     * #V1BETA1} the default is {@link InteractiveMode#IF_AVAILABLE}.
     */
    public Builder interactiveMode(@Nullable InteractiveMode interactiveMode) {
      this.interactiveMode = interactiveMode;
      return this;
    }

    /**
     * Declares that this program needs its standard input for itself.
     *
     * @param message why, for the error if the plugin needs it too; may be empty
     */
    public Builder stdinUnavailable(String message) {
      this.stdinUnavailable = true;
      this.stdinUnavailableMessage = requireNonNull(message, "message");
      return this;
    }

    /** Sets the timeout of one run; 5 minutes by default. */
    public Builder timeout(Duration timeout) {
      this.timeout = requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets additional cluster data for the plugin: maps, lists, strings, numbers and booleans. A
     * kubeconfig has it in the cluster's extension {@code client.authentication.k8s.io/exec}.
     */
    public Builder clusterConfig(@Nullable Object clusterConfig) {
      this.clusterConfig = clusterConfig;
      return this;
    }

    /** Sets the place of this configuration, for messages. */
    public Builder origin(@Nullable String origin) {
      this.origin = origin;
      return this;
    }

    /**
     * Returns the configuration built.
     *
     * @throws ConfigException if a required setting is missing or wrong
     */
    public ExecConfig build() {
      if (command.isEmpty()) {
        throw new ConfigException("exec names no command");
      }
      if (!apiVersion.equals(V1) && !apiVersion.equals(V1BETA1)) {
        throw new ConfigException(
            "exec has the apiVersion \""
                + apiVersion
                + "\", but must have "
                + V1
                + " or "
                + V1BETA1
                + ": ask for a newer version of the plugin if it knows neither");
      }
      if (env.containsKey("")) {
        throw new ConfigException("exec sets an environment variable without a name");
      }
      if (interactiveMode == null) {
        if (apiVersion.equals(V1)) {
          throw new ConfigException(
              "exec does not say its interactiveMode: set Never, IfAvailable or Always");
        }
        interactiveMode = InteractiveMode.IF_AVAILABLE;
      }
      return new ExecConfig(this);
    }
  }
}
