package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ExecConfig.InteractiveMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes the mapping {@code exec} of a kubeconfig, a credential plugin. */
final class ExecMapping {

  private ExecMapping() {}

  /**
   * Reads a plugin.
   *
   * @throws ConfigException if a required setting is missing or wrong
   */
  static ExecConfig read(YamlMapping exec) {
    ExecConfig.Builder config =
        ExecConfig.builder(orEmpty(exec.string("apiVersion")), orEmpty(exec.string("command")))
            .args(exec.strings("args"))
            .installHint(exec.string("installHint"))
            .provideClusterInfo(exec.bool("provideClusterInfo"));
    for (YamlMapping variable : exec.trees("env")) {
      config.env(orEmpty(variable.string("name")), orEmpty(variable.string("value")));
    }
    String mode = exec.string("interactiveMode");
    return config.interactiveMode(mode == null ? null : InteractiveMode.parse(mode)).build();
  }

  /** Writes a plugin. */
  static Map<String, Object> write(ExecConfig config) {
    Map<String, Object> exec = new LinkedHashMap<>();
    exec.put("apiVersion", config.apiVersion());
    exec.put("args", config.args());
    exec.put("command", config.command());
    List<Map<String, String>> env = new ArrayList<>();
    config.env().forEach((name, value) -> env.add(Map.of("name", name, "value", value)));
    exec.put("env", env);
    if (config.installHint() != null) {
      exec.put("installHint", config.installHint());
    }
    exec.put("interactiveMode", config.interactiveMode().toString());
    exec.put("provideClusterInfo", config.provideClusterInfo());
    return exec;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
