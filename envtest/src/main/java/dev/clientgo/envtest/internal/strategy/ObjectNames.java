package dev.clientgo.envtest.internal.strategy;

import dev.clientgo.apimachinery.validation.NameRule;
import dev.clientgo.envtest.internal.kinds.Resource;

/** Validates the names of objects, with the error texts of kube-apiserver. */
final class ObjectNames {

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";

  private ObjectNames() {}

  /** Returns the error of a name, or the empty string. */
  static String problem(Resource resource, String name) {
    if (resource.isNamespace()) {
      return labelProblem(name);
    }
    return resource.group().equals("rbac.authorization.k8s.io")
        ? segmentProblem(name)
        : subdomainProblem(name);
  }

  private static String labelProblem(String name) {
    if (name.length() > 63) {
      return "must be no more than 63 characters";
    }
    if (name.contains(".") && NameRule.DNS1123_SUBDOMAIN.accepts(name)) {
      return "must not contain dots";
    }
    return NameRule.DNS1123_LABEL.accepts(name)
        ? ""
        : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
            + " and must start and end with an alphanumeric character (e.g. 'my-name',  or"
            + " '123-abc', regex used for validation is '"
            + LABEL
            + "')";
  }

  private static String subdomainProblem(String name) {
    if (name.length() > 253) {
      return "must be no more than 253 characters";
    }
    return NameRule.DNS1123_SUBDOMAIN.accepts(name)
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
