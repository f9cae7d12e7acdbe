package dev.clientgo.envtest.internal.http;

import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One clause of an {@code Accept} header.
 *
 * @param type the media type, such as {@code application/json}
 * @param parameters the parameters except {@code q}
 * @param quality the preference, from 0 to 1
 */
public record AcceptClause(String type, Map<String, String> parameters, double quality) {

  /** Asks a server to leave out fields. */
  private static final String DROP = "drop";

  private static final String MANAGED_FIELDS = "metadata.managedFields";

  /** The most preferred first; a wildcard after the types that it covers. */
  private static final Comparator<AcceptClause> ORDER =
      Comparator.comparingDouble(AcceptClause::quality)
          .reversed()
          .thenComparing(AcceptClause::isWildcard);

  /**
   * Returns the clauses of a request, the most preferred first; a request without the header
   * accepts anything.
   */
  public static List<AcceptClause> of(ApiRequest request) {
    String header = request.header("Accept").orElse("");
    List<AcceptClause> accepts = new ArrayList<>();
    for (String clause : header.split(",", -1)) {
      if (!clause.isBlank()) {
        accepts.add(parse(clause));
      }
    }
    accepts.sort(ORDER);
    return accepts.isEmpty() ? List.of(parse("*/*")) : accepts;
  }

  private static AcceptClause parse(String clause) {
    String[] parts = clause.split(";", -1);
    Map<String, String> parameters = new LinkedHashMap<>();
    double quality = 1;
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      String name = (equals < 0 ? parts[i] : parts[i].substring(0, equals)).strip();
      String value = equals < 0 ? "" : parts[i].substring(equals + 1).strip();
      if (name.equals("q")) {
        quality = parseQuality(value);
      } else {
        parameters.put(name, value);
      }
    }
    return new AcceptClause(parts[0].strip(), parameters, quality);
  }

  private static double parseQuality(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  private boolean isWildcard() {
    return type.contains("*");
  }

  /** Returns whether the clause accepts JSON. */
  public boolean isJson() {
    return type.equals("application/json") || type.equals("*/*");
  }

  /** Returns whether the clause asks for a conversion to that kind of that group and version. */
  public boolean isTransform(String kind, String group, String version) {
    return kind.equals(parameters.get("as"))
        && group.equals(parameters.get("g"))
        && version.equals(parameters.get("v"));
  }

  /** Returns whether the clause asks for objects without their managed fields. */
  public boolean dropsManagedFields() {
    return MANAGED_FIELDS.equals(parameters.get(DROP));
  }

  /** Returns whether the clause asks for objects without other fields, which no server supports. */
  public boolean dropsOtherFields() {
    return parameters.containsKey(DROP) && !dropsManagedFields();
  }

  /** Returns whether the clause asks for no conversion. */
  public boolean isPlain() {
    return !parameters.containsKey("as");
  }
}
