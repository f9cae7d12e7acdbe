package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that is run to obtain credentials: a token, a client certificate, or both. It is told
 * what is wanted by the environment variable {@code KUBERNETES_EXEC_INFO} and answers on its
 * standard output; what it writes to standard error appears on that of this program. No shell is
 * involved.
 *
 * <p>What it answers is kept until it expires or the server refuses it. One client runs it once at
 * a time, whoever waits for it shares the outcome, good or bad.
 *
 * <p>Immutable. The text form shows neither arguments nor environment, which may hold secrets.
 * Corresponds to client-go's {@code clientcmd/api.ExecConfig}. Unlike client-go: there is a time
 * limit.
 */
public final class ExecConfig {

  /** The version of what is spoken with the program, {@value}. */
  public static final String V1 = "client.authentication.k8s.io/v1";

  /** The version before {@link #V1}, {@value}. */
  public static final String V1BETA1 = "client.authentication.k8s.io/v1beta1";

  /** How long a program may take if not set: long enough to log in with a browser. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  /** Whether the program may ask the user something, on the standard input of this program. */
  public enum InteractiveMode {
    /** It does not ask. */
    NEVER("Never"),
    /** It asks if it can. */
    IF_AVAILABLE("IfAvailable"),
    /** It must be able to ask, and is not run otherwise. */
    ALWAYS("Always");

    private final String text;

    InteractiveMode(String text) {
      this.text = text;
    }

    /**
     * Returns the mode that a kubeconfig calls by this name.
     *
     * @throws ConfigException if there is none
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

    /** Returns how a kubeconfig writes it. */
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
   * Returns a builder of a program that is called by this name or path.
   *
   * @param apiVersion {@link #V1} or {@link #V1BETA1}
   */
  public static Builder builder(String apiVersion, String command) {
    return new Builder(apiVersion, command);
  }

  /** Returns a builder that starts with this configuration. */
  public Builder toBuilder() {
    return new Builder(values);
  }

  /** Returns the version of what is spoken with the program. */
  public String apiVersion() {
    return values.apiVersion;
  }

  /** Returns the program: a path, or a name that is looked up in {@code PATH}. */
  public String command() {
    return values.command;
  }

  /** Returns the arguments of the program. */
  public List<String> args() {
    return values.args;
  }

  /** Returns what is added to the environment of the program. */
  public Map<String, String> env() {
    return Collections.unmodifiableMap(values.env);
  }

  /** Returns what to tell a user who does not have the program. */
  public @Nullable String installHint() {
    return values.installHint;
  }

  /** Returns whether the program is told which cluster the credentials are for. */
  public boolean provideClusterInfo() {
    return values.provideClusterInfo;
  }

  /** Returns whether the program may ask the user something. */
  public InteractiveMode interactiveMode() {
    return requireNonNull(values.interactiveMode);
  }

  /** Returns how long the program may take. */
  public Duration timeout() {
    return values.timeout;
  }

  boolean stdinUnavailable() {
    return values.stdinUnavailable;
  }

  String stdinUnavailableMessage() {
    return values.stdinUnavailableMessage;
  }

  @Nullable Object clusterConfig() {
    return values.clusterConfig;
  }

  /** Returns what the program is and where it was configured, for messages. */
  String describe() {
    return "credential plugin "
        + values.command
        + (values.origin == null ? "" : " (of " + values.origin + ")");
  }

  /** Returns the program and where it was configured, without arguments and environment. */
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

    /** Sets the arguments of the program. */
    public Builder args(List<String> args) {
      this.args = List.copyOf(args);
      return this;
    }

    /** Sets a variable in the environment of the program. */
    public Builder env(String name, String value) {
      env.put(requireNonNull(name, "name"), requireNonNull(value, "value"));
      return this;
    }

    /** Sets what to tell a user who does not have the program. */
    public Builder installHint(@Nullable String installHint) {
      this.installHint = installHint;
      return this;
    }

    /** Sets whether the program is told which cluster the credentials are for. */
    public Builder provideClusterInfo(boolean provideClusterInfo) {
      this.provideClusterInfo = provideClusterInfo;
      return this;
    }

    /**
     * Sets whether the program may ask the user something. With {@link #V1} it must be set; with
     * {@link #V1BETA1} it is {@link InteractiveMode#IF_AVAILABLE} if not set.
     */
    public Builder interactiveMode(@Nullable InteractiveMode interactiveMode) {
      this.interactiveMode = interactiveMode;
      return this;
    }

    /**
     * Says that this program needs its standard input for itself.
     *
     * @param message for what, for the error if the plugin must have it; may be empty
     */
    public Builder stdinUnavailable(String message) {
      this.stdinUnavailable = true;
      this.stdinUnavailableMessage = requireNonNull(message, "message");
      return this;
    }

    /** Sets how long the program may take. */
    public Builder timeout(Duration timeout) {
      this.timeout = requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets what the program is told about the cluster beyond the fields that everybody knows: maps,
     * lists, texts, numbers and truth values. A kubeconfig has it in the cluster's extension {@code
     * client.authentication.k8s.io/exec}.
     */
    public Builder clusterConfig(@Nullable Object clusterConfig) {
      this.clusterConfig = clusterConfig;
      return this;
    }

    /** Sets where this is configured, for messages. */
    public Builder origin(@Nullable String origin) {
      this.origin = origin;
      return this;
    }

    /**
     * Returns the configuration built.
     *
     * @throws ConfigException if something is missing
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
