package dev.clientgo.envtest.internal.cel;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.RegexLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import dev.clientgo.apimachinery.meta.GoDuration;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles with cel-java. The types of variables follow from their schemas, as in kube-apiserver.
 */
final class CelJava implements CelCompiler {

  /** About as many steps as the cost limit of kube-apiserver allows for one expression. */
  private static final int MAX_ITERATIONS = 1_000_000;

  @SuppressWarnings("deprecation") // Its replacement is not in dev.cel:cel.
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHomogeneousLiterals(true)
          .enableHeterogeneousNumericComparisons(true)
          .comprehensionMaxIterations(MAX_ITERATIONS)
          .build();

  private static final Set<String> LACKING =
      Set.of(
          """
          authorizer quantity isQuantity url isURL ip isIP cidr isCIDR format semver isSemver
          sum findAll sortBy unwrapOpt lists
          """
              .strip()
              .split("\\s+", -1));

  private static final Pattern UNDECLARED = Pattern.compile("undeclared reference to '(\\w+)'");
  private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: .*\\)");
  private static final Pattern NO_KEY =
      Pattern.compile("[Kk]ey '(.*)' is not present in map\\.?", Pattern.DOTALL);

  private static final Set<String> KEYWORDS =
      Set.of(
          ("true false null in as break const continue else for function if import let loop package"
                  + " namespace return")
              .split(" ", -1));

  @Override
  public Expression compile(
      String expression, Map<String, Map<String, Object>> variables, String type)
      throws CelException {
    Types types = new Types();
    CelBuilder builder = environment();
    if (!variables.values().stream().allMatch(Types::isTyped)) {
      throw new CelException("its schema has no type, so it cannot have rules");
    }
    variables.forEach((name, schema) -> builder.addVar(name, types.of(schema)));
    Cel cel = builder.setTypeProvider(types).build();
    CelValidationResult result = cel.compile(expression);
    try {
      CelAbstractSyntaxTree tree = result.getAst();
      result = literals(cel).validate(tree);
      tree = result.getAst();
      if (!tree.getResultType().name().equals(type)) {
        String found = tree.getResultType().name();
        throw new CelException("must evaluate to " + type + " but got " + found);
      }
      return new Compiled(tree, cel.createProgram(tree), variables);
    } catch (CelValidationException e) {
      Matcher undeclared = UNDECLARED.matcher(result.getErrorString());
      if (undeclared.find() && LACKING.contains(undeclared.group(1))) {
        throw new CelException(
            "the embedded server has no CEL function %s; test with the real server"
                .formatted(undeclared.group(1)));
      }
      String shown = CelIssue.toDisplayString(result.getErrors(), result.getSource());
      throw new CelException("compilation failed: " + CANDIDATES.matcher(shown).replaceAll(""));
    } catch (CelEvaluationException | RuntimeException e) {
      throw new CelException("compilation failed: " + e.getMessage());
    }
  }

  /** Returns the check of durations, times and patterns that are written in an expression. */
  private static CelValidator literals(Cel cel) {
    return CelValidatorFactory.standardCelValidatorBuilder(cel)
        .addAstValidators(
            DurationLiteralValidator.INSTANCE,
            TimestampLiteralValidator.INSTANCE,
            RegexLiteralValidator.INSTANCE)
        .build();
  }

  /* --------------- Functions --------------- */

  private static CelBuilder environment() {
    CelType element = TypeParamType.create("T");
    CelType list = ListType.create(element);
    CelBuilder builder = CelFactory.legacyCelBuilder();
    for (var library :
        List.of(
            CelExtensions.strings(
                EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE))),
            CelExtensions.lists(
                CelListsExtensions.Function.DISTINCT,
                CelListsExtensions.Function.REVERSE,
                CelListsExtensions.Function.SLICE,
                CelListsExtensions.Function.SORT),
            CelExtensions.comprehensions(),
            CelExtensions.optional(),
            CelExtensions.sets(OPTIONS))) {
      builder.addCompilerLibraries(library).addRuntimeLibraries(library);
    }
    return builder
        .setOptions(OPTIONS)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .addFunctionDeclarations(
            method("isSorted", "list_is_sorted", SimpleType.BOOL, list),
            method("min", "list_min", element, list),
            method("max", "list_max", element, list),
            method("indexOf", "list_index_of", SimpleType.INT, list, element),
            method("lastIndexOf", "list_last_index_of", SimpleType.INT, list, element),
            method("find", "string_find", SimpleType.STRING, SimpleType.STRING, SimpleType.STRING))
        .addFunctionBindings(
            CelFunctionBinding.from(
                "list_is_sorted",
                List.class,
                all -> all.equals(((List<?>) all).stream().sorted(ORDER).toList())),
            CelFunctionBinding.from("list_min", List.class, all -> end(all, ORDER)),
            CelFunctionBinding.from("list_max", List.class, all -> end(all, ORDER.reversed())),
            CelFunctionBinding.from(
                "list_index_of", List.class, Object.class, (all, one) -> (long) all.indexOf(one)),
            CelFunctionBinding.from(
                "list_last_index_of",
                List.class,
                Object.class,
                (all, one) -> (long) all.lastIndexOf(one)),
            CelFunctionBinding.from(
                "string_find", String.class, String.class, CelJava::firstMatch));
  }

  private static CelFunctionDecl method(String name, String id, CelType result, CelType... of) {
    return CelFunctionDecl.newFunctionDeclaration(
        name, CelOverloadDecl.newMemberOverload(id, result, of));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // The elements have one type, which has an order.
  private static final Comparator<Object> ORDER = (a, b) -> ((Comparable) a).compareTo(b);

  private static Object end(Collection<?> list, Comparator<Object> order) {
    return list.stream()
        .map(element -> (Object) element)
        .min(order)
        .orElseThrow(() -> new IllegalArgumentException("min called on empty list"));
  }

  private static String firstMatch(String text, String pattern) {
    com.google.re2j.Matcher matcher = com.google.re2j.Pattern.compile(pattern).matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  /* --------------- Types --------------- */

  /** The types of objects in the schemas of one environment. Complete when CEL asks for them. */
  @SuppressWarnings("Immutable")
  private static final class Types implements dev.cel.common.types.CelTypeProvider {
    private final Map<String, CelType> structs = new LinkedHashMap<>();

    /** By their schemas: two variables with the same schema can be compared. */
    private final IdentityHashMap<Map<String, Object>, CelType> known = new IdentityHashMap<>();

    /** Returns whether expressions can use a value. */
    static boolean isTyped(Map<String, Object> schema) {
      String inner = "array".equals(schema.get("type")) ? "items" : "additionalProperties";
      return schema.get(inner) instanceof Map
          ? isTyped(JsonTree.object(schema, inner))
          : schema.isEmpty()
              || !Collections.disjoint(
                  schema.keySet(), List.of("type", "x-kubernetes-int-or-string", "optional"));
    }

    CelType of(Map<String, Object> schema) {
      if (schema.containsKey("optional")) {
        return OptionalType.create(of(JsonTree.object(schema, "optional")));
      }
      if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
        return SimpleType.DYN;
      }
      return switch (JsonTree.string(schema, "type")) {
        case "array" -> ListType.create(of(JsonTree.object(schema, "items")));
        case "object" -> known.computeIfAbsent(schema, this::object);
        case "boolean" -> SimpleType.BOOL;
        case "number" -> SimpleType.DOUBLE;
        case "integer" -> SimpleType.INT;
        case "string" ->
            switch (JsonTree.string(schema, "format")) {
              case "byte" -> SimpleType.BYTES;
              case "duration" -> SimpleType.DURATION;
              case "date", "date-time" -> SimpleType.TIMESTAMP;
              default -> SimpleType.STRING;
            };
        default -> SimpleType.DYN;
      };
    }

    private CelType object(Map<String, Object> schema) {
      if (schema.get("additionalProperties") instanceof Map) {
        return MapType.create(
            SimpleType.STRING, of(JsonTree.object(schema, "additionalProperties")));
      }
      Map<String, CelType> fields = new HashMap<>();
      Map<String, Object> usable = properties(schema);
      usable.values().removeIf(field -> !isTyped(JsonTree.asObject(field)));
      usable.forEach((name, of) -> fields.put(escape(name), of(JsonTree.asObject(of))));
      String name = "object" + (structs.isEmpty() ? "" : structs.size());
      CelType struct =
          StructType.create(
              name,
              com.google.common.collect.ImmutableSet.copyOf(fields.keySet()),
              field -> Optional.ofNullable(fields.get(field)));
      structs.put(name, struct);
      return struct;
    }

    @Override
    public com.google.common.collect.ImmutableCollection<CelType> types() {
      return com.google.common.collect.ImmutableList.copyOf(structs.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.ofNullable(structs.get(name));
    }
  }

  /** A resource has its type and its names, whatever the schema says about its metadata. */
  private static Map<String, Object> properties(Map<String, Object> schema) {
    Map<String, Object> properties = new LinkedHashMap<>(JsonTree.object(schema, "properties"));
    if (Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"))) {
      Map<String, Object> text = Map.of("type", "string");
      properties.put("apiVersion", text);
      properties.put("kind", text);
      Map<String, Object> names = Map.of("name", text, "generateName", text);
      properties.put("metadata", Map.of("type", "object", "properties", names));
    }
    return properties;
  }

  private static String escape(String name) {
    return KEYWORDS.contains(name)
        ? "__" + name + "__"
        : name.replace("__", "__underscores__")
            .replace(".", "__dot__")
            .replace("-", "__dash__")
            .replace("/", "__slash__");
  }

  /* --------------- Values --------------- */

  private static Object value(@Nullable Object value, Map<String, Object> schema) {
    if (schema.containsKey("optional")) {
      return Optional.ofNullable(value).map(v -> value(v, JsonTree.object(schema, "optional")));
    }
    if (value instanceof List<?> list) {
      List<Object> converted = new ArrayList<>();
      list.forEach(element -> converted.add(value(element, JsonTree.object(schema, "items"))));
      return converted;
    }
    if (value instanceof Map<?, ?>) {
      return object(JsonTree.asObject(value), schema);
    }
    if (value instanceof Number number) {
      boolean whole = number instanceof Long && !"number".equals(schema.get("type"));
      return whole ? number : (Object) number.doubleValue();
    }
    if (value instanceof String text) {
      return text(text, JsonTree.string(schema, "format"));
    }
    return value == null ? NullValue.NULL_VALUE : value;
  }

  /** A text without its format, which kube-apiserver refuses, stays a text. */
  private static Object text(String text, String format) {
    try {
      return switch (format) {
        case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
        case "duration" -> GoDuration.parse(text).toDuration();
        case "date" -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
        case "date-time" -> OffsetDateTime.parse(text).toInstant();
        default -> text;
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      return text;
    }
  }

  private static Object object(Map<String, Object> object, Map<String, Object> schema) {
    Map<String, Object> converted = new LinkedHashMap<>();
    boolean isMap = schema.get("additionalProperties") instanceof Map;
    boolean struct = !isMap && "object".equals(schema.get("type"));
    Map<String, Object> properties = properties(schema);
    object.forEach(
        (name, value) -> {
          Object of = isMap ? schema.get("additionalProperties") : properties.get(name);
          converted.put(struct ? escape(name) : name, value(value, JsonTree.asObject(of)));
        });
    return converted;
  }

  /** A program with the schemas of its variables. */
  private record Compiled(
      CelAbstractSyntaxTree tree,
      CelRuntime.Program program,
      Map<String, Map<String, Object>> schemas)
      implements Expression {

    @Override
    public boolean uses(String variable) {
      return tree.getReferenceMap().values().stream().anyMatch(r -> r.name().equals(variable));
    }

    @Override
    public Object evaluate(Map<String, @Nullable Object> variables) throws CelException {
      Map<String, Object> values = new HashMap<>();
      try {
        schemas.forEach((name, schema) -> values.put(name, value(variables.get(name), schema)));
        return program.eval(values);
      } catch (CelEvaluationException | RuntimeException e) {
        throw new CelException(inGo(String.valueOf(e.getMessage())));
      }
    }
  }

  /** Returns the message of an error in the words of cel-go. */
  private static String inGo(String message) {
    String text = message.replaceFirst("^evaluation error( at <input>:\\d+)?: ", "");
    if (text.contains("/ by zero")) {
      return "division by zero";
    }
    if (text.contains("long overflow")) {
      return "integer overflow";
    }
    Matcher key = NO_KEY.matcher(text);
    return key.find() ? "no such key: " + key.group(1) : text;
  }
}
