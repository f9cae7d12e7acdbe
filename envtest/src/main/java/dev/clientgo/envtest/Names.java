package dev.clientgo.envtest;

import dev.clientgo.envtest.Failures.FieldError;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** How objects are named. */
final class Names {

  /** Without vowels, and without digits that look like letters, so that no words come out. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;
  private static final int MAX_BASE = 63 - SUFFIX;

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
  private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
  private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);

  private Names() {}

  /** Returns a name made from {@code metadata.generateName}. */
  static String generate(String base, RandomGenerator random) {
    StringBuilder name = new StringBuilder(base.substring(0, Math.min(base.length(), MAX_BASE)));
    for (int i = 0; i < SUFFIX; i++) {
      name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return name.toString();
  }

  /** Returns what is wrong with the name of an object. */
  static List<FieldError> check(Resource resource, Map<String, Object> object) {
    String name = Tree.string(object, "metadata", "name");
    String field = "metadata.name";
    if (name.isEmpty()) {
      return List.of(FieldError.required(field, "name or generateName is required"));
    }
    String problem =
        resource.kind().equals("Namespace") && resource.group().isEmpty()
            ? labelProblem(name)
            : resource.group().equals("rbac.authorization.k8s.io")
                ? segmentProblem(name)
                : subdomainProblem(name);
    return problem.isEmpty()
        ? List.of()
        : List.of(FieldError.invalid(field, '"' + name + '"', problem));
  }

  private static String labelProblem(String name) {
    if (name.length() > 63) {
      return "must be no more than 63 bytes";
    }
    return LABEL_PATTERN.matcher(name).matches()
        ? ""
        : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
            + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
            + " '123-abc', regex used for validation is '"
            + LABEL
            + "')";
  }

  private static String subdomainProblem(String name) {
    if (name.length() > 253) {
      return "must be no more than 253 bytes";
    }
    return SUBDOMAIN_PATTERN.matcher(name).matches()
        ? ""
        : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-'"
            + " or '.', and must start and end with an alphanumeric character (e.g."
            + " 'example.com', regex used for validation is '"
            + SUBDOMAIN
            + "')";
  }

  private static String segmentProblem(String name) {
    if (name.equals(".") || name.equals("..")) {
      return "may not be '" + name + "'";
    }
    return name.contains("/")
        ? "may not contain '/'"
        : name.contains("%") ? "may not contain '%'" : "";
  }
}
