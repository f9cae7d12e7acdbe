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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final String LIST_KEYS = "x-kubernetes-list-map-keys";
  private static final Pattern PATH = Pattern.compile("\\.([^.\\[\\]]+)|\\['([^']+)'\\]");

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
    check(path + ".default", schema.get("default"), null, false, problems);
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
    checkMessages(path, rule, problems);
    if (!reason.isEmpty() && !REASONS.contains(reason)) {
      problems.add(
          FieldErrors.notSupported(
              path + ".reason", '"' + reason + '"', REASONS.toArray(String[]::new)));
    }
    String fieldPath = JsonTree.string(rule, "fieldPath");
    String below = below(fieldPath);
    if (below == null) {
      problems.add(
          FieldErrors.invalid(
              path + ".fieldPath", JsonText.text(fieldPath), "must be a valid path"));
      return;
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
      if (optional && !transition) {
        problems.add(
            FieldErrors.invalid(
                path + ".optionalOldSelf",
                "true",
                "may not be set if oldSelf is not used in rule"));
      }
      if (transition && !uncorrelated.isEmpty()) {
        problems.add(
            FieldErrors.invalid(
                path + ".rule",
                JsonText.text(text),
                "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                    + uncorrelated));
      } else {
        rules.add(new Rule(rule, below, expression, shown, transition, optional));
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

  private static void checkMessages(
      String path, Map<String, Object> rule, List<StatusCause> problems) {
    String message = JsonTree.string(rule, "message");
    String wrong =
        message.isBlank()
            ? "must be non-empty if specified"
            : message.strip().contains("\n") ? "must not contain line breaks" : "";
    if (!message.isEmpty() && !wrong.isEmpty()) {
      problems.add(FieldErrors.invalid(path + ".message", JsonText.text(message), wrong));
    } else if (message.isEmpty() && JsonTree.string(rule, "rule").strip().contains("\n")) {
      String missing = "message must be specified if rule contains line breaks";
      problems.add(FieldErrors.required(path + ".message", missing));
    }
  }

  /** Returns what a field path adds to the path of an error, or null if it is not in the schema. */
  private @Nullable String below(String fieldPath) {
    StringBuilder below = new StringBuilder();
    ValidationRules at = this;
    Matcher part = PATH.matcher(fieldPath);
    int end = 0;
    for (; part.find() && part.start() == end; end = part.end()) {
      String name = fieldPath.charAt(end) == '.' ? part.group(1) : part.group(2);
      ValidationRules property = at.properties.get(name);
      below.append(property == null ? "[" + name + "]" : "." + name);
      at = property == null ? at.additional : property;
      if (at == null) {
        return null;
      }
    }
    return end == fieldPath.length() ? below.toString() : null;
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
      Map<String, Object> before = JsonTree.asObject(old);
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
      Map<List<Object>, Object> known = byKeys(schema, old);
      for (int i = 0; i < list.size(); i++) {
        Object before = known.get(keys(schema, list.get(i)));
        items.check(path + "[" + i + "]", list.get(i), before, unchanged, problems);
      }
    }
  }

  /** Returns the elements of a list by their keys; none of a list whose elements have no keys. */
  public static Map<List<Object>, Object> byKeys(
      Map<String, Object> schema, @Nullable Object list) {
    Map<List<Object>, Object> elements = new HashMap<>();
    if (schema.get(LIST_KEYS) instanceof List && list instanceof List<?> all) {
      all.forEach(element -> elements.putIfAbsent(keys(schema, element), element));
    }
    return elements;
  }

  /** Returns the values of the keys of an element in a list of the type map. */
  public static List<Object> keys(Map<String, Object> schema, @Nullable Object element) {
    return JsonTree.strings(schema, LIST_KEYS).stream()
        .map(key -> (Object) Optional.ofNullable(JsonTree.asObject(element).get(key)))
        .toList();
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
      String below,
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
      String whole = path + below;
      String field = whole.isEmpty() ? "<nil>" : whole.startsWith(".") ? whole.substring(1) : whole;
      boolean scalar = !(value instanceof Map || value instanceof List);
      String shown = scalar ? JsonText.text(value) + ": " : "";
      return switch (JsonTree.string(tree, "reason")) {
        case "FieldValueForbidden" -> FieldErrors.forbidden(field, message);
        case "FieldValueRequired" -> FieldErrors.required(field, message);
        case "FieldValueDuplicate" ->
            FieldErrors.cause(
                "FieldValueDuplicate",
                field,
                "Duplicate value" + (scalar ? ": " + JsonText.text(value) : ""));
        default ->
            FieldErrors.cause("FieldValueInvalid", field, "Invalid value: " + shown + message);
      };
    }
  }
}
