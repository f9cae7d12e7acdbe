package dev.clientgo.rest.kubeconfig;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Replaces secrets and long data by placeholders. */
final class Redaction {

  private static final String OMITTED = "DATA+OMITTED";
  private static final String REDACTED = "REDACTED";
  private static final List<String> DATA =
      List.of("certificate-authority-data", "client-certificate-data", "client-key-data");
  private static final List<String> SECRETS = List.of("token", "password");
  private static final Set<String> PROVIDER_SECRETS =
      Set.of("id-token", "refresh-token", "access-token", "client-secret");

  private Redaction() {}

  /** Returns a cluster or a user without secrets. */
  static YamlMapping shorten(YamlMapping tree) {
    YamlMapping shown = tree;
    for (String field : DATA) {
      shown = replace(shown, field, OMITTED);
    }
    for (String field : SECRETS) {
      shown = replace(shown, field, REDACTED);
    }
    shown = replaceEach(shown, "auth-provider", "config");
    return exec(shown);
  }

  private static YamlMapping replace(YamlMapping tree, String field, String word) {
    return tree.has(field) ? tree.with(field, word) : tree;
  }

  private static YamlMapping replaceEach(YamlMapping tree, String field, String inner) {
    if (!(tree.fields().get(field) instanceof Map<?, ?> provider)
        || !(provider.get(inner) instanceof Map<?, ?> config)) {
      return tree;
    }
    Map<Object, Object> shown = new LinkedHashMap<>(config);
    shown.replaceAll((key, value) -> PROVIDER_SECRETS.contains(key) ? REDACTED : value);
    Map<Object, Object> copy = new LinkedHashMap<>(provider);
    copy.put(inner, shown);
    return tree.with(field, copy);
  }

  /** The environment of a plugin may contain passwords. */
  private static YamlMapping exec(YamlMapping tree) {
    if (!(tree.fields().get("exec") instanceof Map<?, ?> exec)
        || !(exec.get("env") instanceof List<?> env)) {
      return tree;
    }
    Map<Object, Object> copy = new LinkedHashMap<>(exec);
    copy.put("env", env.stream().map(Redaction::variable).toList());
    return tree.with("exec", copy);
  }

  private static Object variable(Object variable) {
    return variable instanceof Map<?, ?> map && map.get("name") != null
        ? Map.of("name", map.get("name"), "value", REDACTED)
        : variable;
  }
}
