package dev.clientgo.apimachinery.validation;

import static dev.clientgo.apimachinery.validation.Rules.rule;

import java.util.List;

/**
 * A rule by which the API server accepts names, label keys or other texts. A client that checks a
 * text before it sends it can tell its user the problem.
 *
 * <p>Rules are immutable. Corresponds to the {@code Is…} functions of {@code
 * k8s.io/apimachinery/pkg/util/validation}; the messages are this library's own.
 */
@FunctionalInterface
public interface NameRule {

  /** A part of a host name, such as {@code my-name}: the name of a namespace or a service. */
  NameRule DNS1123_LABEL = Rules.dns1123Label();

  /** A host name in lower case, such as {@code example.com}: the name of most objects. */
  NameRule DNS1123_SUBDOMAIN = Rules.dns1123Subdomain();

  /** A host name whose parts may contain underscores and begin with one. */
  NameRule DNS1123_SUBDOMAIN_WITH_UNDERSCORE = Rules.dns1123SubdomainWithUnderscore();

  /** A host name behind {@code *.}, for certificates and ingresses. */
  NameRule WILDCARD_DNS1123_SUBDOMAIN = Rules.wildcardDns1123Subdomain();

  /** A part of a host name that begins with a letter. */
  NameRule DNS1035_LABEL = Rules.dns1035Label();

  /**
   * The key of a label or an annotation, with or without a prefix: {@code app} or {@code
   * example.com/app}. Also known as a qualified name.
   */
  NameRule LABEL_KEY = Rules::labelKey;

  /** The key of a label with a prefix: {@code example.com/app}. */
  NameRule PREFIXED_LABEL_KEY = Rules::prefixedLabelKey;

  /** The value of a label, which may be empty. */
  NameRule LABEL_VALUE = Rules.labelValue();

  /** An identifier of the C language, of any length. */
  NameRule C_IDENTIFIER =
      rule(
          new Shape(
                  Shape.LETTER.or(Shape.oneOf("_")),
                  Shape.LETTER_OR_DIGIT.or(Shape.oneOf("_")),
                  Shape.LETTER_OR_DIGIT.or(Shape.oneOf("_")))
              ::matches,
          "must consist of letters, digits and '_', and not begin with a digit, such as 'MY_NAME'");

  /** The name of an environment variable on servers without the relaxed rule. */
  NameRule ENV_VAR_NAME = Rules.envVarName();

  /** The name of an environment variable: printable ASCII without an equals sign. */
  NameRule RELAXED_ENV_VAR_NAME = Rules::relaxedEnvVarName;

  /** A key in a ConfigMap or Secret, which becomes the name of a file. */
  NameRule CONFIG_MAP_KEY = Rules.configMapKey();

  /** The name of a header of HTTP. */
  NameRule HTTP_HEADER_NAME =
      rule(
          Shape.all(Shape.LETTER_OR_DIGIT.or(Shape.oneOf("-")))::matches,
          "must consist of letters, digits and '-', such as 'X-Header-Name'");

  /** The name of a port, up to 15 characters. */
  NameRule PORT_NAME = Rules::portName;

  /** The number of a port, from 1 to 65535. */
  NameRule PORT_NUMBER =
      rule(text -> IpAddress.number(text, 65535) > 0, "must be a number between 1 and 65535");

  /** An IP address in canonical form: {@code 10.9.8.7}, {@code 2001:db8::ffff}. */
  NameRule IP = IpRules::ip;

  /**
   * An IP address in any form that old fields accept: with leading zeros, which other parsers may
   * read as octal, with IPv4 mapped to IPv6, and with upper-case letters.
   */
  NameRule LEGACY_IP = IpRules::legacyIp;

  /** A network in canonical form, whose bits behind the prefix are unset: {@code 10.9.8.0/24}. */
  NameRule CIDR = IpRules::cidr;

  /** A network, or an address with its network, in any form that old fields accept. */
  NameRule LEGACY_CIDR = IpRules::legacyCidr;

  /** An address with its network, in canonical form: {@code 10.9.8.7/24}. */
  NameRule INTERFACE_ADDRESS = IpRules::interfaceAddress;

  /** A percentage such as {@code 25%}. */
  NameRule PERCENT =
      rule(
          text ->
              text.endsWith("%")
                  && Shape.all(Shape.DIGIT).matches(text.substring(0, text.length() - 1)),
          "must be a number followed by '%', such as '93%'");

  /** The minimal rule of every name: it is one segment of the path of a URL. */
  NameRule PATH_SEGMENT_NAME = Rules::pathSegmentName;

  /** The rule of the beginning of a {@link #PATH_SEGMENT_NAME}. */
  NameRule PATH_SEGMENT_PREFIX = Rules::pathSegmentPrefix;

  /** A host name of at least two parts, with or without a dot at the end. */
  NameRule FULLY_QUALIFIED_DOMAIN_NAME = Rules::fullyQualifiedDomainName;

  /** A host name of at least three parts. */
  NameRule FULLY_QUALIFIED_NAME = Rules::fullyQualifiedName;

  /** A host name, a slash and a path: {@code example.com/my/path}. */
  NameRule DOMAIN_PREFIXED_PATH = Rules::domainPrefixedPath;

  /**
   * Returns the problems of a name; empty if it is valid. Each continues a sentence that begins
   * with the subject of the name: "must not be empty".
   */
  List<String> problems(String name);

  /** Returns whether a name follows this rule. */
  default boolean accepts(String name) {
    return problems(name).isEmpty();
  }

  /**
   * Returns a name unchanged if it follows this rule.
   *
   * @param what the subject of the name for the message, such as {@code label key}
   * @throws IllegalArgumentException if the name breaks this rule; the message names the problems
   */
  default String require(String what, String name) {
    List<String> problems = problems(name);
    if (!problems.isEmpty()) {
      String shown = name.length() <= 300 ? name : name.substring(0, 300) + "…";
      throw new IllegalArgumentException(
          what + " \"" + shown + "\" " + String.join(", and ", problems));
    }
    return name;
  }

  /**
   * Returns this rule for a {@code generateName}, to which the server appends five letters and
   * digits: the name may end with a dash. For a path segment, use {@link #PATH_SEGMENT_PREFIX}.
   */
  default NameRule forPrefix() {
    // The character before the dash is dropped too, as upstream and the server do.
    return prefix ->
        problems(
            prefix.length() > 1 && prefix.endsWith("-")
                ? prefix.substring(0, prefix.length() - 2) + "a"
                : prefix);
  }
}
