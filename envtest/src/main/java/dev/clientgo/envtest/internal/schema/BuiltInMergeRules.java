package dev.clientgo.envtest.internal.schema;

import dev.clientgo.apimachinery.patch.PatchSchema;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of built-in kinds, and of the metadata of all. They go by the names of the fields,
 * which mean the same wherever they stand, but for ports.
 *
 * @param parent the field that the field is in
 * @param name the field
 */
public record BuiltInMergeRules(String parent, String name) implements MergeRules {

  public static final BuiltInMergeRules ROOT = new BuiltInMergeRules("", "");

  private static final List<String> NAME = List.of("name");
  private static final Map<String, List<String>> KEYS =
      Map.ofEntries(
          Map.entry("containers", NAME),
          Map.entry("initContainers", NAME),
          Map.entry("ephemeralContainers", NAME),
          Map.entry("volumes", NAME),
          Map.entry("env", NAME),
          Map.entry("imagePullSecrets", NAME),
          Map.entry("secrets", NAME),
          Map.entry("resourceClaims", NAME),
          Map.entry("claims", NAME),
          Map.entry("schedulingGates", NAME),
          Map.entry("webhooks", NAME),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("volumeDevices", List.of("devicePath")),
          Map.entry("hostAliases", List.of("ip")),
          Map.entry("podIPs", List.of("ip")),
          Map.entry("hostIPs", List.of("ip")),
          Map.entry("topologySpreadConstraints", List.of("topologyKey", "whenUnsatisfiable")),
          Map.entry("conditions", List.of("type")),
          Map.entry("ownerReferences", List.of("uid")));
  private static final Set<String> SETS = Set.of("finalizers");
  private static final Set<String> ATOMIC =
      Set.of(
          "selector",
          "nodeSelector",
          "labelSelector",
          "namespaceSelector",
          "podSelector",
          "secretKeyRef",
          "configMapKeyRef",
          "fieldRef",
          "resourceFieldRef",
          "secretRef",
          "targetRef",
          "claimRef",
          "involvedObject",
          "roleRef");
  private static final Set<String> ALWAYS_THERE =
      Set.of("", "metadata", "spec", "status", "template", "strategy", "updateStrategy");

  @Override
  public BuiltInMergeRules field(String field) {
    return new BuiltInMergeRules(name, field);
  }

  @Override
  public BuiltInMergeRules items() {
    return this;
  }

  @Override
  public boolean isAtomic() {
    return ATOMIC.contains(name);
  }

  @Override
  public boolean isSet() {
    return SETS.contains(name);
  }

  @Override
  public List<String> keys() {
    if (name.equals("ports")) {
      return switch (parent) {
        case "containers", "initContainers" -> List.of("containerPort", "protocol");
        case "spec" -> List.of("port", "protocol");
        default -> List.of();
      };
    }
    return KEYS.getOrDefault(name, List.of());
  }

  @Override
  public boolean isAlwaysThere() {
    return ALWAYS_THERE.contains(name);
  }

  @Override
  public @Nullable Object otherwise(String key) {
    return key.equals("protocol") ? "TCP" : null;
  }

  /** Returns the rules of strategic merge patches, which name one key at most. */
  public PatchSchema patchSchema() {
    return field -> {
      BuiltInMergeRules rules = field(field);
      Set<PatchSchema.Strategy> strategies = EnumSet.noneOf(PatchSchema.Strategy.class);
      if (rules.isSet() || !rules.keys().isEmpty()) {
        strategies.add(PatchSchema.Strategy.MERGE);
      }
      if (field.equals("strategy") || field.equals("volumes")) {
        strategies.add(PatchSchema.Strategy.RETAIN_KEYS);
      }
      String key = rules.keys().isEmpty() ? null : rules.keys().get(0);
      return new PatchSchema.Rule(strategies, key, rules.patchSchema());
    };
  }
}
