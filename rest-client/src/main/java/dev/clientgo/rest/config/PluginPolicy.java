package dev.clientgo.rest.config;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A policy about credential plugins: which programs may be run. A kubeconfig can name any program,
 * so a program that reads kubeconfigs of strangers should restrict them. Such a text can name files
 * of this machine, too: {@link dev.clientgo.rest.kubeconfig.KubeConfig#parseUntrusted} refuses
 * both. An allowlist restricts the program, not the arguments and the environment that the
 * kubeconfig gives it.
 *
 * <p>Immutable. Corresponds to client-go's {@code clientcmd/api.PluginPolicy}.
 */
public final class PluginPolicy {

  private enum Type {
    ALLOW_ALL,
    DENY_ALL,
    ALLOWLIST
  }

  private static final PluginPolicy ALLOW_ALL = new PluginPolicy(Type.ALLOW_ALL, List.of());
  private static final PluginPolicy DENY_ALL = new PluginPolicy(Type.DENY_ALL, List.of());

  private final Type type;
  private final List<String> commands;

  private PluginPolicy(Type type, List<String> commands) {
    this.type = type;
    this.commands = commands;
  }

  /** Returns the policy that allows every plugin, the default. */
  public static PluginPolicy allowAll() {
    return ALLOW_ALL;
  }

  /** Returns the policy that allows no plugin. */
  public static PluginPolicy denyAll() {
    return DENY_ALL;
  }

  /**
   * Returns the policy that allows the plugins of a list.
   *
   * @param commands paths, or names that are looked up in {@code PATH}
   * @throws ConfigException if the list is empty or a path is not normalized
   */
  public static PluginPolicy allowlist(List<String> commands) {
    if (commands.isEmpty()) {
      throw new ConfigException(
          "the credential plugin policy is \"Allowlist\", but the list is empty: to run no plugin"
              + " at all, use \"DenyAll\"");
    }
    for (String command : commands) {
      if (command.isEmpty()) {
        throw new ConfigException("the credential plugin allowlist has an empty entry");
      }
      if (!clean(command).equals(command)) {
        throw new ConfigException(
            "the credential plugin allowlist has the entry \""
                + command
                + "\": write it as \""
                + clean(command)
                + '"');
      }
    }
    return new PluginPolicy(Type.ALLOWLIST, List.copyOf(commands));
  }

  /**
   * Returns the policy that a configuration file gives as a name and a list.
   *
   * @param name {@code AllowAll}, {@code DenyAll}, {@code Allowlist}, or empty for the first
   * @param commands the list of {@code Allowlist}, null if there is none
   * @throws ConfigException if there is no such policy, or name and list contradict each other
   */
  public static PluginPolicy of(String name, @Nullable List<String> commands) {
    if (name.equals("Allowlist")) {
      if (commands == null) {
        throw new ConfigException(
            "the credential plugin policy is \"Allowlist\", but there is no list");
      }
      return allowlist(commands);
    }
    if (!name.isEmpty() && !name.equals("AllowAll") && !name.equals("DenyAll")) {
      throw new ConfigException(
          "unknown credential plugin policy \"" + name + "\": use AllowAll, DenyAll or Allowlist");
    }
    if (commands != null) {
      throw new ConfigException(
          "the credential plugin policy is \""
              + name
              + "\", but there is a list, which only"
              + " \"Allowlist\" has");
    }
    return name.equals("DenyAll") ? DENY_ALL : ALLOW_ALL;
  }

  /**
   * Checks that a plugin may be run. An entry of the allowlist means the one program that it leads
   * to: another of the same name in another folder is not permitted.
   *
   * @param program the program that is run; empty if there is none, which no list forbids
   * @param resolve finds the executable of a name or a path
   * @throws ConfigException if it may not be run
   */
  public void check(
      ExecConfig plugin, Optional<Path> program, Function<String, Optional<Path>> resolve) {
    if (type == Type.DENY_ALL) {
      throw new ConfigException(plugin.describe() + " may not be run: policy set to \"DenyAll\"");
    }
    if (type == Type.ALLOWLIST
        && program.isPresent()
        && commands.stream().map(resolve).noneMatch(program::equals)) {
      throw new ConfigException(
          plugin.describe() + " is not permitted by the credential plugin allowlist " + commands);
    }
  }

  private static String clean(String path) {
    return Path.of(path).normalize().toString();
  }

  @Override
  public String toString() {
    return type + (commands.isEmpty() ? "" : commands.toString());
  }
}
