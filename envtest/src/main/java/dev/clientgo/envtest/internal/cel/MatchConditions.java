package dev.clientgo.envtest.internal.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.cel.CelCompiler.CelException;
import dev.clientgo.envtest.internal.cel.CelCompiler.Expression;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The {@code matchConditions} of admission webhooks. */
public final class MatchConditions {

  private static final String FIELD = "matchConditions";

  private static final Map<String, Map<String, Object>> VARIABLES =
      Map.of("object", Map.of(), "oldObject", Map.of(), "request", request());

  private static final int MAX_COMPILED = 1000;

  private static final Map<String, Expression> COMPILED = new ConcurrentHashMap<>();

  private MatchConditions() {}

  /** The schema of {@code AdmissionRequest}, without the objects. */
  private static Map<String, Object> request() {
    String schema =
        """
        {"type": "object", "properties": {
          "uid": TEXT, "kind": KIND, "resource": RESOURCE, "subResource": TEXT,
          "requestKind": KIND, "requestResource": RESOURCE, "requestSubResource": TEXT,
          "name": TEXT, "namespace": TEXT, "operation": TEXT,
          "dryRun": {"type": "boolean"}, "options": {},
          "userInfo": {"type": "object", "properties": {
            "username": TEXT, "uid": TEXT, "groups": LIST,
            "extra": {"type": "object", "additionalProperties": LIST}}}}}
        """
            .replace("KIND", group("kind"))
            .replace("RESOURCE", group("resource"))
            .replace("LIST", "{\"type\": \"array\", \"items\": TEXT}")
            .replace("TEXT", "{\"type\": \"string\"}");
    return JsonTree.asObject(JsonText.parse(schema.getBytes(UTF_8)));
  }

  private static String group(String name) {
    return "{\"type\": \"object\", \"properties\": {\"group\": TEXT, \"version\": TEXT, \""
        + name
        + "\": TEXT}}";
  }

  /** Returns whether a configuration has conditions. */
  public static boolean areIn(Map<String, Object> configuration) {
    return JsonTree.objects(configuration, "webhooks").stream()
        .anyMatch(webhook -> !JsonTree.objects(webhook, FIELD).isEmpty());
  }

  /** Returns the errors of the conditions in a configuration; none without CEL. */
  public static List<StatusCause> problems(Map<String, Object> configuration) {
    List<StatusCause> problems = new ArrayList<>();
    List<Map<String, Object>> webhooks = JsonTree.objects(configuration, "webhooks");
    for (int w = 0; w < webhooks.size() && CelLibrary.COMPILER != null; w++) {
      List<Map<String, Object>> conditions = JsonTree.objects(webhooks.get(w), FIELD);
      for (int c = 0; c < conditions.size(); c++) {
        String expression = JsonTree.string(conditions.get(c), "expression");
        try {
          compiled(expression);
        } catch (CelException e) {
          problems.add(
              FieldErrors.invalid(
                  "webhooks[" + w + "]." + FIELD + "[" + c + "].expression",
                  JsonText.text(expression),
                  e.getMessage()));
        }
      }
    }
    return problems;
  }

  private static Expression compiled(String expression) throws CelException {
    Expression known = COMPILED.get(expression);
    if (known == null) {
      known = requireNonNull(CelLibrary.COMPILER).compile(expression, VARIABLES, "bool");
      if (COMPILED.size() >= MAX_COMPILED) {
        COMPILED.clear();
      }
      COMPILED.put(expression, known);
    }
    return known;
  }

  /**
   * Returns whether a request meets the conditions of a webhook, as any does without CEL.
   *
   * @param request the {@code AdmissionRequest}
   * @throws CelException if none is false, but one fails
   */
  public static boolean match(Map<String, Object> webhook, Map<String, Object> request)
      throws CelException {
    Map<String, @Nullable Object> variables = new HashMap<>();
    variables.put("request", request);
    variables.put("object", request.get("object"));
    variables.put("oldObject", request.get("oldObject"));
    List<String> failures = new ArrayList<>();
    for (Map<String, Object> condition : JsonTree.objects(webhook, FIELD)) {
      String expression = JsonTree.string(condition, "expression");
      try {
        if (CelLibrary.COMPILER != null && !compiled(expression).evaluate(variables).equals(true)) {
          return false;
        }
      } catch (CelException e) {
        failures.add("expression '" + expression + "' resulted in error: " + e.getMessage());
      }
    }
    if (!failures.isEmpty()) {
      String all = String.join(", ", failures);
      throw new CelException(failures.size() == 1 ? all : "[" + all + "]");
    }
    return true;
  }
}
