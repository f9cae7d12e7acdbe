package dev.clientgo.envtest.internal.schema;

import dev.clientgo.apimachinery.patch.PatchSchema;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The merge rules of built-in kinds, and of the metadata of all kinds. The name of a field decides,
 * because a name means the same in all places; ports are the exception.
 *
 * @param parent the parent of the field
 * @param name the field
 */
public record BuiltInMergeRules(String parent, String name) implements MergeRules {

  public static final BuiltInMergeRules ROOT = new BuiltInMergeRules("", "");

  /** The keys of lists; lists that are not here are replaced as a whole. */
  private static final Map<String, List<String>> KEYS =
      parse(
          """
          name: containers initContainers ephemeralContainers volumes env imagePullSecrets secrets
          name: resourceClaims claims schedulingGates webhooks
          mountPath: volumeMounts
          devicePath: volumeDevices
          ip: hostAliases podIPs hostIPs
          topologyKey,whenUnsatisfiable: topologySpreadConstraints
          type: conditions
          uid: ownerReferences
          """);

  private static final Set<String> SETS = Set.of("finalizers");

  private static final Set<String> ATOMIC =
      Set.of(
          """
          selector nodeSelector labelSelector namespaceSelector podSelector secretKeyRef
          configMapKeyRef fieldRef resourceFieldRef secretRef targetRef claimRef involvedObject
          roleRef
          """
              .strip()
              .split("\\s+", -1));

  private static final Set<String> ALWAYS_THERE =
      Set.of("", "metadata", "spec", "status", "template", "strategy", "updateStrategy");

  private static Map<String, List<String>> parse(String keys) {
    Map<String, List<String>> parsed = new HashMap<>();
    keys.lines()
        .map(line -> line.split(": ", 2))
        .forEach(
            line -> {
              for (String list : line[1].split(" ", -1)) {
                parsed.put(list, List.of(line[0].split(",", -1)));
              }
            });
    return Map.copyOf(parsed);
  }

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
  public @Nullable Object defaultValue(String key) {
    return key.equals("protocol") ? "TCP" : null;
  }

  /** Returns the rules of strategic merge patches, which allow at most one key. */
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
