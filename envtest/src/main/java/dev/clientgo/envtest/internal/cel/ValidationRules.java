package dev.clientgo.envtest.internal.cel;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.cel.CelCompiler.CelException;
import dev.clientgo.envtest.internal.cel.CelCompiler.Expression;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code x-kubernetes-validations} of a schema and of all schemas in it. Immutable.
 *
 * <p>Unlike kube-apiserver, it estimates no costs, and a rule that an unchanged value violates
 * leads to no warning.
 */
public final class ValidationRules {

  private static final String RULES = "x-kubernetes-validations";
  private static final String SELF = "self";
  private static final String OLD_SELF = "oldSelf";

  private final Map<String, Object> schema;
  private final List<Rule> rules = new ArrayList<>();
  private final Map<String, ValidationRules> properties = new HashMap<>();
  private final @Nullable ValidationRules items;
  private final @Nullable ValidationRules additional;

  private ValidationRules(
      String path, Map<String, Object> schema, String uncorrelated, List<StatusCause> problems) {
    this.schema = schema;
    JsonTree.object(schema, "properties")
        .forEach(
            (name, property) ->
                properties.put(
                    name,
                    new ValidationRules(
                        path + ".properties[" + name + "]",
                        JsonTree.asObject(property),
                        uncorrelated,
                        problems)));
    boolean keyed = "map".equals(schema.get("x-kubernetes-list-type"));
    this.items =
        schema.get("items") instanceof Map
            ? new ValidationRules(
                path + ".items",
                JsonTree.object(schema, "items"),
                keyed || !uncorrelated.isEmpty() ? uncorrelated : path,
                problems)
            : null;
    this.additional =
        schema.get("additionalProperties") instanceof Map
            ? new ValidationRules(
                path + ".additionalProperties",
                JsonTree.object(schema, "additionalProperties"),
                uncorrelated,
                problems)
            : null;
    List<Map<String, Object>> declared = JsonTree.objects(schema, RULES);
    for (int i = 0; i < declared.size(); i++) {
      add(path + "." + RULES + "[" + i + "]", declared.get(i), uncorrelated, problems);
    }
  }

  /** Returns whether a schema, or a definition, has rules. */
  public static boolean areIn(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map
        ? map.containsKey(RULES) || map.values().stream().anyMatch(ValidationRules::areIn)
        : tree instanceof List<?> list && list.stream().anyMatch(ValidationRules::areIn);
  }

  /**
   * Compiles the rules of a whole object. There are none without CEL.
   *
   * @param problems gets the errors of rules that do not compile, which are left out
   */
  public static ValidationRules of(
      String path, Map<String, Object> schema, List<StatusCause> problems) {
    Map<String, Object> root = new LinkedHashMap<>();
    if (CelLibrary.COMPILER != null && areIn(schema)) {
      root.putAll(schema);
      root.put("x-kubernetes-embedded-resource", true);
    }
    return new ValidationRules(path, root, "", problems);
  }

  /** Returns whether there are no rules. */
  public boolean isEmpty() {
    return schema.isEmpty();
  }

  private void add(
      String path, Map<String, Object> rule, String uncorrelated, List<StatusCause> problems) {
    String text = JsonTree.string(rule, "rule");
    String reason = JsonTree.string(rule, "reason");
    if (text.isBlank()) {
      problems.add(FieldErrors.required(path + ".rule", "rule is not specified"));
      return;
    }
    if (!reason.isEmpty() && !REASONS.contains(reason)) {
      problems.add(
          FieldErrors.notSupported(
              path + ".reason", '"' + reason + '"', REASONS.toArray(String[]::new)));
    }
    String fieldPath = JsonTree.string(rule, "fieldPath");
    if (!isInSchema(fieldPath)) {
      problems.add(
          FieldErrors.invalid(path + ".fieldPath", '"' + fieldPath + '"', "must be a valid path"));
    }
    boolean optional = Boolean.TRUE.equals(rule.get("optionalOldSelf"));
    Map<String, Map<String, Object>> variables =
        Map.of(SELF, schema, OLD_SELF, optional ? Map.of("optional", schema) : schema);
    String field = ".rule";
    try {
      CelCompiler cel = requireNonNull(CelLibrary.COMPILER);
      Expression expression = cel.compile(text, variables, "bool");
      String message = JsonTree.string(rule, "messageExpression");
      field = ".messageExpression";
      Expression shown = message.isEmpty() ? null : cel.compile(message, variables, "string");
      boolean transition = expression.uses(OLD_SELF);
      if (transition && !uncorrelated.isEmpty()) {
        problems.add(
            FieldErrors.invalid(
                path + ".rule",
                JsonText.text(text),
                "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                    + uncorrelated));
      } else {
        rules.add(new Rule(rule, expression, shown, transition, optional));
      }
    } catch (CelException e) {
      String problem =
          e.getMessage()
              .replaceFirst(
                  "^must evaluate to (\\w+) but .*",
                  (field.equals(".rule") ? "cel expression" : "messageExpression")
                      + " must evaluate to a $1");
      problems.add(FieldErrors.invalid(path + field, shown(rule), problem));
    }
  }

  /** Returns a rule as kube-apiserver shows it. */
  private static String shown(Map<String, Object> rule) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("Rule", rule.get("rule"));
    all.put("Message", JsonTree.string(rule, "message"));
    all.put("MessageExpression", JsonTree.string(rule, "messageExpression"));
    all.put("Reason", rule.get("reason"));
    all.put("FieldPath", JsonTree.string(rule, "fieldPath"));
    all.put("OptionalOldSelf", rule.get("optionalOldSelf"));
    return JsonText.text(all)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026");
  }

  private boolean isInSchema(String fieldPath) {
    ValidationRules at = this;
    for (String name : fieldPath.split("\\.", -1)) {
      if (fieldPath.contains("[") || name.isEmpty()) {
        continue;
      }
      ValidationRules property = at.properties.get(name);
      at = property == null ? at.additional : property;
      if (at == null) {
        return false;
      }
    }
    return true;
  }

  /** Adds the errors of a whole object; {@code old} is null for a new one. */
  public void check(
      Map<String, Object> object, @Nullable Map<String, Object> old, List<StatusCause> problems) {
    check("", object, old, false, problems);
  }

  /** A value that has not changed may violate rules that have changed. */
  private void check(
      String path,
      @Nullable Object value,
      @Nullable Object old,
      boolean inUnchanged,
      List<StatusCause> problems) {
    if (value == null) {
      return;
    }
    boolean unchanged = old == null ? inUnchanged : value.equals(old);
    for (Rule rule : rules) {
      if (rule.transition ? old != null || rule.optional : !unchanged) {
        check(rule, path, value, old, problems);
      }
    }
    if (value instanceof Map<?, ?>) {
      boolean atomic = "atomic".equals(schema.get("x-kubernetes-map-type"));
      Map<String, Object> before = JsonTree.asObject(atomic ? null : old);
      JsonTree.asObject(value)
          .forEach(
              (name, inner) -> {
                ValidationRules property = properties.get(name);
                String key = path.isEmpty() ? name : path + "." + name;
                if (property != null) {
                  property.check(key, inner, before.get(name), unchanged, problems);
                } else if (additional != null) {
                  key = path + "[" + name + "]";
                  additional.check(key, inner, before.get(name), unchanged, problems);
                }
              });
    } else if (value instanceof List<?> list && items != null) {
      for (int i = 0; i < list.size(); i++) {
        Object before = sameKeys(list.get(i), old);
        items.check(path + "[" + i + "]", list.get(i), before, unchanged, problems);
      }
    }
  }

  /** Returns the element of a list that has the keys of another, or null. */
  private @Nullable Object sameKeys(@Nullable Object element, @Nullable Object list) {
    List<String> keys = JsonTree.strings(schema, "x-kubernetes-list-map-keys");
    if (keys.isEmpty() || !(list instanceof List<?> all)) {
      return null;
    }
    Map<String, Object> wanted = JsonTree.asObject(element);
    for (Object one : all) {
      Map<String, Object> other = JsonTree.asObject(one);
      if (keys.stream().allMatch(key -> Objects.equals(wanted.get(key), other.get(key)))) {
        return one;
      }
    }
    return null;
  }

  private void check(
      Rule rule, String path, Object value, @Nullable Object old, List<StatusCause> problems) {
    Map<String, @Nullable Object> variables = new HashMap<>();
    variables.put(SELF, value);
    variables.put(OLD_SELF, old);
    String field = path.isEmpty() ? "<nil>" : path;
    try {
      if (!Boolean.TRUE.equals(rule.expression.evaluate(variables))) {
        problems.add(rule.violated(path, value, rule.message(variables)));
      }
    } catch (CelException e) {
      String message = JsonTree.string(rule.tree, "message");
      problems.add(
          FieldErrors.invalid(
              field,
              '"' + JsonTree.string(schema, "type") + '"',
              e.getMessage()
                  + " evaluating rule: "
                  + (message.isEmpty() ? JsonTree.string(rule.tree, "rule") : message)));
    }
  }

  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  /** A rule that compiles. */
  private record Rule(
      Map<String, Object> tree,
      Expression expression,
      @Nullable Expression message,
      boolean transition,
      boolean optional) {

    String message(Map<String, @Nullable Object> variables) {
      try {
        Object shown = message == null ? "" : message.evaluate(variables);
        if (shown instanceof String text && !text.isBlank() && !text.contains("\n")) {
          return text.strip();
        }
      } catch (CelException e) {
        // The fixed message counts.
      }
      String fixed = JsonTree.string(tree, "message");
      return fixed.isEmpty() ? "failed rule: " + JsonTree.string(tree, "rule").strip() : fixed;
    }

    StatusCause violated(String path, Object value, String message) {
      String below = path + JsonTree.string(tree, "fieldPath");
      String field = below.isEmpty() ? "<nil>" : below.startsWith(".") ? below.substring(1) : below;
      boolean whole = value instanceof Map || value instanceof List;
      String shown = whole ? "" : JsonText.text(value) + ": ";
      return switch (JsonTree.string(tree, "reason")) {
        case "FieldValueForbidden" -> FieldErrors.forbidden(field, message);
        case "FieldValueRequired" -> FieldErrors.required(field, message);
        case "FieldValueDuplicate" ->
            FieldErrors.cause(
                "FieldValueDuplicate",
                field,
                "Duplicate value" + (whole ? "" : ": " + JsonText.text(value)));
        default ->
            FieldErrors.cause("FieldValueInvalid", field, "Invalid value: " + shown + message);
      };
    }
  }
}
