package dev.clientgo.apimachinery.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The checks of the rules in {@link NameRule}. */
final class Rules {

  private static final String SUBDOMAIN_PROBLEM =
      "must consist of lower-case letters, digits, '-' and '.', and every part between dots must"
          + " begin and end with a letter or digit, such as 'example.com'";
  private static final Shape HTTP_PATH =
      Shape.all(Shape.LETTER_OR_DIGIT.or(Shape.oneOf("/-._~%!$&'()*+,;=:")));
  private static final Shape PORT_NAME = Shape.all(Shape.LOWER_OR_DIGIT.or(Shape.oneOf("-")));
  private static final int LABEL_LENGTH = 63;
  private static final int SUBDOMAIN_LENGTH = 253;
  private static final NameRule LABEL_NAME =
      atMost(
          LABEL_LENGTH,
          rule(
              Shape.LABEL::matches,
              "must consist of letters, digits, '-', '_' and '.', and begin and end with a letter"
                  + " or digit, such as 'MyName'"));

  private Rules() {}

  /** Returns a rule with one condition. */
  static NameRule rule(Predicate<String> condition, String problem) {
    return name -> condition.test(name) ? List.of() : List.of(problem);
  }

  /** Returns a rule that adds a maximum length to another rule. */
  static NameRule atMost(int length, NameRule rule) {
    return name -> {
      List<String> problems = rule.problems(name);
      if (name.length() <= length) {
        return problems;
      }
      List<String> all = new ArrayList<>();
      all.add("must be no more than " + length + " characters");
      all.addAll(problems);
      return all;
    };
  }

  /** Returns a rule that requires two others. */
  static NameRule both(NameRule first, NameRule second) {
    return name -> {
      List<String> problems = new ArrayList<>(first.problems(name));
      problems.addAll(second.problems(name));
      return problems;
    };
  }

  static NameRule dns1123Label() {
    return atMost(
        LABEL_LENGTH,
        name ->
            Shape.DNS1123_LABEL.matches(name)
                ? List.of()
                : List.of(
                    Shape.isSubdomain(name)
                        ? "must not contain dots"
                        : "must consist of lower-case letters, digits and '-', and begin and end"
                            + " with a letter or digit, such as 'my-name' or '123-abc'"));
  }

  static NameRule dns1035Label() {
    return atMost(
        LABEL_LENGTH,
        rule(
            Shape.DNS1035_LABEL::matches,
            "must consist of lower-case letters, digits and '-', begin with a letter, and end with"
                + " a letter or digit, such as 'my-name' or 'abc-123'"));
  }

  static NameRule dns1123Subdomain() {
    return atMost(SUBDOMAIN_LENGTH, rule(Shape::isSubdomain, SUBDOMAIN_PROBLEM));
  }

  static NameRule dns1123SubdomainWithUnderscore() {
    return atMost(
        SUBDOMAIN_LENGTH,
        rule(
            Shape::isSubdomainWithUnderscore,
            "must consist of lower-case letters, digits, '-', '_' and '.', and every part between"
                + " dots must begin and end with a letter or digit, but for one '_' at its"
                + " beginning, such as '_tcp.example.com'"));
  }

  static NameRule wildcardDns1123Subdomain() {
    return atMost(
        SUBDOMAIN_LENGTH,
        rule(
            name -> name.startsWith("*.") && Shape.isSubdomain(name.substring(2)),
            "must begin with '*.', followed by a subdomain of lower-case letters, digits, '-'"
                + " and '.', such as '*.example.com'"));
  }

  static NameRule labelValue() {
    return atMost(
        LABEL_LENGTH,
        rule(
            value -> value.isEmpty() || Shape.LABEL.matches(value),
            "must be empty, or consist of letters, digits, '-', '_' and '.' and begin and end with"
                + " a letter or digit, such as 'MyValue' or '12345'"));
  }

  static List<String> labelKey(String key) {
    String[] parts = key.split("/", -1);
    if (parts.length > 2) {
      return List.of("must not contain more than one '/', as in 'example.com/MyName'");
    }
    List<String> problems = new ArrayList<>();
    if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        problems.add("prefix part must not be empty");
      } else {
        NameRule.DNS1123_SUBDOMAIN
            .problems(parts[0])
            .forEach(problem -> problems.add("prefix part " + problem));
      }
    }
    String name = parts[parts.length - 1];
    if (name.isEmpty()) {
      problems.add("name part must not be empty");
    } else {
      LABEL_NAME.problems(name).forEach(problem -> problems.add("name part " + problem));
    }
    return problems;
  }

  static List<String> prefixedLabelKey(String key) {
    List<String> problems = labelKey(key);
    return problems.isEmpty() && key.indexOf('/') < 0
        ? List.of("must have a prefix, as in 'example.com/MyName'")
        : problems;
  }

  static NameRule configMapKey() {
    NameRule characters =
        rule(
            Shape.all(Shape.LETTER_OR_DIGIT.or(Shape.oneOf("-._")))::matches,
            "must consist of letters, digits, '-', '_' and '.', and not be empty, such as"
                + " 'key.name' or 'KEY_NAME'");
    return both(atMost(SUBDOMAIN_LENGTH, characters), Rules::noParentPath);
  }

  static NameRule envVarName() {
    Shape shape =
        new Shape(
            Shape.LETTER.or(Shape.oneOf("-._")),
            Shape.LETTER_OR_DIGIT.or(Shape.oneOf("-._")),
            Shape.LETTER_OR_DIGIT.or(Shape.oneOf("-._")));
    NameRule characters =
        rule(
            shape::matches,
            "must consist of letters, digits, '_', '-' and '.', and not begin with a digit, such"
                + " as 'MY_ENV.NAME'");
    return both(characters, Rules::noParentPath);
  }

  private static List<String> noParentPath(String name) {
    if (name.equals(".") || name.equals("..")) {
      return List.of("must not be '" + name + "'");
    }
    return name.startsWith("..") ? List.of("must not begin with '..'") : List.of();
  }

  static List<String> relaxedEnvVarName(String name) {
    if (name.isEmpty()) {
      return List.of("must not be empty");
    }
    return name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=')
        ? List.of()
        : List.of("must consist of printable ASCII characters other than '='");
  }

  static List<String> portName(String name) {
    List<String> problems = new ArrayList<>();
    if (name.length() > 15) {
      problems.add("must be no more than 15 characters");
    }
    if (!PORT_NAME.matches(name)) {
      problems.add("must consist of lower-case letters, digits and '-', and not be empty");
    }
    if (name.chars().noneMatch(Shape.LOWER)) {
      problems.add("must contain at least one letter");
    }
    if (name.contains("--")) {
      problems.add("must not contain '--'");
    }
    if (name.startsWith("-") || name.endsWith("-")) {
      problems.add("must not begin or end with '-'");
    }
    return problems;
  }

  static List<String> pathSegmentName(String name) {
    return name.equals(".") || name.equals("..")
        ? List.of("must not be '" + name + "'")
        : pathSegmentPrefix(name);
  }

  static List<String> pathSegmentPrefix(String name) {
    List<String> problems = new ArrayList<>();
    for (String forbidden : List.of("/", "%")) {
      if (name.contains(forbidden)) {
        problems.add("must not contain '" + forbidden + "'");
      }
    }
    return problems;
  }

  static List<String> fullyQualifiedDomainName(String name) {
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    List<String> problems = NameRule.DNS1123_SUBDOMAIN.problems(bare);
    if (!problems.isEmpty()) {
      return problems;
    }
    String[] parts = bare.split("\\.", -1);
    if (parts.length < 2) {
      return List.of("must have at least two parts separated by dots");
    }
    for (String part : parts) {
      if (part.length() > LABEL_LENGTH) {
        return List.of("must have no part of more than " + LABEL_LENGTH + " characters");
      }
    }
    return List.of();
  }

  static List<String> fullyQualifiedName(String name) {
    List<String> problems = NameRule.DNS1123_SUBDOMAIN.problems(name);
    return problems.isEmpty() && name.split("\\.", -1).length < 3
        ? List.of("must have at least three parts separated by dots")
        : problems;
  }

  static List<String> domainPrefixedPath(String path) {
    int slash = path.indexOf('/');
    if (slash <= 0 || slash == path.length() - 1) {
      return List.of("must be a domain and a path, as in 'example.com/my/path'");
    }
    List<String> problems = new ArrayList<>();
    NameRule.DNS1123_SUBDOMAIN
        .problems(path.substring(0, slash))
        .forEach(problem -> problems.add("domain part " + problem));
    if (!HTTP_PATH.matches(path.substring(slash + 1))) {
      problems.add("path part must consist of characters that need no escape in a URL");
    }
    return problems;
  }
}
