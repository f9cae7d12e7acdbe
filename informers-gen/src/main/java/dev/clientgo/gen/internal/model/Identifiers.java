package dev.clientgo.gen.internal.model;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import javax.lang.model.SourceVersion;

/** Makes legal, readable Java names of names in a schema. */
public final class Identifiers {

  /** Kotlin's keywords that are not Java's: Kotlin would have to quote them. */
  private static final Set<String> KOTLIN_KEYWORDS =
      words("as fun in is object typealias typeof val var when");

  /**
   * Names that a record component may not have, names of members of generated classes, and the
   * first parts of full names, which a member of that name would hide.
   */
  private static final Set<String> TAKEN_MEMBERS =
      words(
          """
          clone finalize getClass hashCode notify notifyAll toString wait
          builder toBuilder CODEC EMPTY TYPE dev java
          """);

  /** Methods of a clientset and an informer factory. */
  private static final Set<String> TAKEN_ACCESSORS =
      Set.of("of", "create", "shared", "start", "awaitSynced", "close", "listerWatcher");

  /** Simple names that generated code uses: a type of that name would hide what is meant. */
  private static final Set<String> TAKEN_TYPES =
      words(
          """
          apischeme autocloseable clientset informerfactory interruptedexception
          arraylist arrays assertionerror boolean consumer deprecated double generated integer
          linkedhashmap list long map number object objects override record string suppresswarnings
          builder bytes codec edits fieldnames groupversionkind immutable intorstring jsoncodec
          jsoncodecs jsonreader jsonwriter kubernetesobject microtime nullable objectmeta openenum
          quantity rawjson resourcetype time typemeta unstructured
          """);

  /** Constants of generated classes: in {@code TYPE.CODEC} they hide a class of that name. */
  private static final Set<String> CONSTANTS = Set.of("EMPTY", "FIELDS", "TYPE");

  private Identifiers() {}

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  /**
   * Returns whether a type of this name would hide one that generated code uses, or a constant it.
   */
  static boolean isTakenType(String name) {
    return TAKEN_TYPES.contains(name.toLowerCase(Locale.ROOT)) || CONSTANTS.contains(name);
  }

  /**
   * Returns a member name for each JSON name. A name that is a legal member name stands for itself;
   * where two others become equal, the later in the order of the alphabet gets a number.
   */
  public static Map<String, String> members(Collection<String> names) {
    Map<String, String> members = new LinkedHashMap<>();
    Set<String> used = new HashSet<>();
    for (String name : names) {
      if (member(name).equals(name) && used.add(name)) {
        members.put(name, name);
      }
    }
    for (String name : names.stream().filter(n -> !members.containsKey(n)).sorted().toList()) {
      members.put(name, unique(member(name), used));
    }
    return members;
  }

  /** Returns a name for each of several things: where two are equal, the later gets a number. */
  public static <T> Map<T, String> unique(Collection<T> things, Function<T, String> name) {
    Map<T, String> names = new LinkedHashMap<>();
    Set<String> used = new HashSet<>();
    for (T thing : things) {
      names.put(thing, unique(name.apply(thing), used));
    }
    return names;
  }

  /** Returns the name of a method that gives a group, beside others that generated classes have. */
  static String groupAccessor(String name) {
    String accessor = member(name);
    // A version within the group is a class, too, and may not have the name of that around it.
    return TAKEN_ACCESSORS.contains(accessor)
            || isTakenType(accessor)
            || accessor.matches("v[0-9].*")
        ? accessor + "Group"
        : accessor;
  }

  /** Returns the name of a method that gives a version, which a class within the group's has. */
  public static String versionAccessor(String version) {
    String accessor = member(version);
    return accessor.matches("v[0-9].*") ? accessor : accessor + "Version";
  }

  /** Returns the name of a method for a name. */
  public static String accessor(String name) {
    return member(name);
  }

  private static String unique(String base, Set<String> used) {
    String name = base;
    for (int i = 2; !used.add(name); i++) {
      name = base + i;
    }
    return name;
  }

  /** Returns whether a JSON name is also that of the member, and of a parameter. */
  public static boolean isPlain(String name) {
    return member(name).equals(name) && !List.of("each", "edit", "builder").contains(name);
  }

  private static String member(String name) {
    String camel = camel(name);
    String member = decapitalize(camel);
    return TAKEN_MEMBERS.contains(member)
            || KOTLIN_KEYWORDS.contains(member)
            || !SourceVersion.isName(member)
            || member.equals("_")
        ? member + "_"
        : member;
  }

  /** Returns a type name. */
  public static String type(String name) {
    String camel = camel(name);
    return Character.toUpperCase(camel.charAt(0)) + camel.substring(1);
  }

  /** Returns a constant name: {@code IfNotPresent} becomes {@code IF_NOT_PRESENT}. */
  public static Map<String, String> constants(List<String> values) {
    Map<String, String> constants = new LinkedHashMap<>();
    Set<String> used = new HashSet<>(Set.of("CODEC"));
    for (String value : values.stream().sorted().toList()) {
      constants.put(value, unique(constant(value), used));
    }
    return constants;
  }

  private static String constant(String value) {
    if (value.isEmpty()) {
      return "EMPTY";
    }
    String spaced =
        (value.startsWith("-") ? "minus " + value.substring(1) : value)
            .replaceAll("([a-z0-9])([A-Z])", "$1 $2")
            .replaceAll("([A-Z])([A-Z][a-z])", "$1 $2")
            .replaceAll("[^A-Za-z0-9]+", " ")
            .strip();
    if (spaced.isEmpty()) {
      return "VALUE_" + symbolNames(value);
    }
    String name = spaced.replace(' ', '_').toUpperCase(Locale.ROOT);
    return Character.isDigit(name.charAt(0)) ? "VALUE_" + name : name;
  }

  private static String symbolNames(String value) {
    StringBuilder name = new StringBuilder();
    value
        .codePoints()
        .forEach(
            c -> name.append(name.isEmpty() ? "" : "_").append("U").append(Integer.toHexString(c)));
    return name.toString().toUpperCase(Locale.ROOT);
  }

  /** Returns the letters and digits of a name; those behind another sign are capitalized. */
  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    boolean capitalize = false;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < 0x80 && Character.isLetterOrDigit(c)) {
        camel.append(capitalize ? Character.toUpperCase(c) : c);
        capitalize = false;
      } else if (c == '_' && i > 0 && i < name.length() - 1) {
        // An underscore within a name is legal; it also keeps a_b apart from aB.
        camel.append('_');
      } else {
        capitalize = camel.length() > 0;
      }
    }
    if (camel.isEmpty()) {
      return "field" + symbolNames(name);
    }
    return Character.isDigit(camel.charAt(0)) ? "n" + camel : camel.toString();
  }

  /** Returns a name that begins in lower case: {@code URL} becomes {@code url}. */
  private static String decapitalize(String name) {
    int upper = 0;
    while (upper < name.length() && Character.isUpperCase(name.charAt(upper))) {
      upper++;
    }
    if (upper == 0) {
      return name;
    }
    // All but the last capital of several belong to an abbreviation, if a lower case letter
    // follows.
    boolean abbreviation =
        upper > 1 && upper < name.length() && Character.isLowerCase(name.charAt(upper));
    int end = abbreviation ? upper - 1 : upper;
    return name.substring(0, end).toLowerCase(Locale.ROOT) + name.substring(end);
  }

  /** Returns the singular of an English plural, as far as its ending shows it. */
  static String singular(String plural) {
    if (plural.length() < 4
        || !plural.endsWith("s")
        || plural.matches("(?i).*(ss|us|is|dns|tls|aws|ms)$")) {
      return plural;
    }
    if (plural.endsWith("ies")) {
      return plural.substring(0, plural.length() - 3) + "y";
    }
    if (plural.matches(".*(x|ch|sh|ss|zz)es$")) {
      return plural.substring(0, plural.length() - 2);
    }
    return plural.substring(0, plural.length() - 1);
  }

  /**
   * Returns the package of a group relative to a base package, without the domain if the base
   * package begins with it: {@code stable.example.com} is {@code stable} below {@code
   * com.example.api}. A top-level domain alone stays.
   */
  static String groupPackage(String group, String basePackage) {
    List<String> labels = List.of(groupPackage(group).split("\\.", -1));
    List<String> base = List.of(basePackage.split("\\.", -1));
    int common = 0;
    while (common < Math.min(labels.size(), base.size())
        && labels.get(common).equals(base.get(common))) {
      common++;
    }
    return common < 2
        ? groupPackage(group)
        : String.join(".", labels.subList(common, labels.size()));
  }

  /** Returns the package of a group: its name backwards, {@code com.coreos.monitoring}. */
  static String groupPackage(String group) {
    if (group.isEmpty()) {
      return "core";
    }
    String[] labels = group.split("\\.", -1);
    StringBuilder name = new StringBuilder();
    // The domain most groups are in says nothing.
    int last =
        labels.length > 1 && labels[labels.length - 1].equals("io")
            ? labels.length - 2
            : labels.length - 1;
    for (int i = last; i >= 0; i--) {
      name.append(name.isEmpty() ? "" : ".").append(packageLabel(labels[i]));
    }
    return name.toString();
  }

  /** Returns a legal part of a package name. */
  static String packageLabel(String label) {
    String name = label.replace('-', '_');
    if (Character.isDigit(name.charAt(0))) {
      return "_" + name;
    }
    return SourceVersion.isKeyword(name) || KOTLIN_KEYWORDS.contains(name) ? name + "_" : name;
  }

  /** Returns a type name that hides none that generated code uses. */
  static String untaken(String kind) {
    String name = type(kind);
    return isTakenType(name) ? name + "Resource" : name;
  }

  /** Returns the class of a built-in type, below the base package. */
  static String builtInClass(String typeName) {
    return packageOfType(typeName) + "." + untaken(simpleName(typeName));
  }

  /** Returns the package that the name of a type implies, relative to the base package. */
  static String packageOfType(String typeName) {
    String[] parts = typeName.split("\\.", -1);
    return parts.length < 3
        ? "types"
        : packageLabel(parts[parts.length - 3]) + "." + packageLabel(parts[parts.length - 2]);
  }

  /** Returns the last part of the name of a type. */
  static String simpleName(String typeName) {
    return typeName.substring(typeName.lastIndexOf('.') + 1);
  }
}
