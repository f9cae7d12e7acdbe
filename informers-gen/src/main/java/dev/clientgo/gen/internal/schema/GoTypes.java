package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.shape.ShapeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The facts that only the Go types of Kubernetes have, not its OpenAPI: the numbers of fields in
 * protobuf, the fields that a server leaves out of JSON if they are zero, and the names of the
 * enumerations.
 *
 * <p>Go may write the fields of one struct into the JSON of another, where protobuf keeps them
 * apart. Such a field has all numbers on the way to it: {@code [2, 1]}.
 */
public final class GoTypes {

  private static final Pattern STRUCT = Pattern.compile("type (\\w{1,200}) struct \\{\\s*");
  private static final Pattern FIELD =
      Pattern.compile(
          "\\s+(?:(?<name>\\w{1,200})\\s+)?(?<type>[\\w.*\\[\\]]{1,200})\\s+`(?<tags>.{1,500})`.*");
  private static final Pattern JSON = Pattern.compile("json:\"([^\",]*)([^\"]*)\"");
  private static final Pattern PROTOBUF = Pattern.compile("protobuf:\"\\w+,(\\d{1,9}),[^\"]*\"");

  private static final Pattern STRING = Pattern.compile("type (\\w{1,200}) string\\s*");
  private static final Pattern CONSTANT =
      Pattern.compile("\\s+\\w{1,200}\\s+(\\w{1,200})\\s+=\\s+\"([^\"\\\\]{1,200})\".*");

  /** Types whose values OpenAPI does not have, since Kubernetes' sources do not ask for it. */
  private static final Set<String> UNMARKED_ENUMS =
      Set.of("io.k8s.api.core.v1.ContainerRestartPolicy");

  /** A field, or a struct whose fields stand for it in JSON. */
  private record Field(String json, String type, int number, boolean omitEmpty) {}

  private final Map<String, List<Field>> structs = new TreeMap<>();

  /** The values of the named strings that have constants. */
  private final Map<String, List<String>> strings = new TreeMap<>();

  private GoTypes() {}

  /**
   * Reads the types of a checkout.
   *
   * @param k8sIo the folder that holds {@code api}, {@code apimachinery} and others, such as {@code
   *     staging/src/k8s.io} of Kubernetes
   */
  public static GoTypes read(Path k8sIo) throws IOException {
    GoTypes types = new GoTypes();
    try (Stream<Path> tree = Files.walk(k8sIo)) {
      for (Path file : tree.filter(GoTypes::holdsTypes).sorted().toList()) {
        String folder = k8sIo.relativize(file.getParent()).toString().replace('\\', '/');
        types.readFile("io.k8s." + folder.replace('/', '.') + ".", Files.readAllLines(file));
      }
    }
    return types;
  }

  private static boolean holdsTypes(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.equals("group_version.go")
        || (name.startsWith("types") && name.endsWith(".go") && !name.contains("_swagger_"));
  }

  private void readFile(String prefix, List<String> lines) {
    List<Field> fields = new ArrayList<>();
    for (String line : lines) {
      Matcher struct = STRUCT.matcher(line);
      Matcher field = FIELD.matcher(line);
      Matcher string = STRING.matcher(line);
      Matcher constant = CONSTANT.matcher(line);
      if (string.matches()) {
        strings.computeIfAbsent(prefix + string.group(1), key -> new ArrayList<>());
      } else if (constant.matches()) {
        strings
            .computeIfAbsent(prefix + constant.group(1), key -> new ArrayList<>())
            .add(constant.group(2));
      } else if (struct.matches()) {
        fields = new ArrayList<>();
        structs.put(prefix + struct.group(1), fields);
      } else if (field.matches()) {
        addField(fields, field);
      }
    }
  }

  private static void addField(List<Field> fields, Matcher field) {
    Matcher json = JSON.matcher(field.group("tags"));
    Matcher protobuf = PROTOBUF.matcher(field.group("tags"));
    if (json.find() && protobuf.find()) {
      String type = field.group("type");
      boolean omitEmpty = json.group(2).contains("omit") && !type.matches("[*\\[].*|map\\[.*");
      int number = Integer.parseInt(protobuf.group(1));
      fields.add(new Field(json.group(1), type, number, omitEmpty));
    }
  }

  /**
   * Adds to the types in a catalog what is known about their fields: {@code protobuf}, {@code
   * omitempty} where zero is the same as absent, and references to named enumerations.
   */
  public void addTo(Catalog catalog) {
    for (String name : catalog.reachableTypes()) {
      Node type = catalog.type(name);
      Node properties = type == null ? null : type.get("properties");
      if (properties != null) {
        addTo(name, properties);
        nameEnums(name, properties, catalog);
      }
    }
  }

  private void nameEnums(String goName, Node properties, Catalog catalog) {
    for (Field field : structs.getOrDefault(goName, List.of())) {
      String goType = sibling(goName, field.type().replaceAll("^(\\[]|\\*|map\\[[^]]*])+", ""));
      if (field.json().isEmpty()) {
        nameEnums(goType, properties, catalog);
      } else if (strings.containsKey(goType)) {
        Node leaf = EnumReferences.leaf(properties.get(field.json()));
        boolean unmarked = UNMARKED_ENUMS.contains(goType);
        if (leaf != null && (unmarked || ShapeReader.isEnumeration(leaf))) {
          EnumReferences.name(catalog, leaf, goType, values(leaf, goType));
        }
      }
    }
  }

  private Node values(Node place, String goType) {
    Node values = new Node(Node.Kind.OBJECT, place);
    values.putString("type", "string");
    Node list = new Node(Node.Kind.ARRAY, place);
    strings.getOrDefault(goType, List.of()).forEach(value -> list.add(Node.string(value, place)));
    values.put("enum", list);
    return values;
  }

  private void addTo(String typeName, Node properties) {
    Map<String, String> facts = new LinkedHashMap<>();
    collect(typeName, List.of(), facts);
    Documents documents = new Documents(problem -> {});
    facts.forEach((name, fact) -> documents.text(name, fact));
    List<Node> roots = documents.roots();
    int i = 0;
    for (String name : facts.keySet()) {
      Node property = properties.get(name);
      Node fact = roots.get(i++);
      if (property != null && property.isObject()) {
        fact.fields().forEach(property::put);
      }
    }
  }

  private void collect(String typeName, List<Integer> path, Map<String, String> facts) {
    for (Field field : structs.getOrDefault(typeName, List.of())) {
      List<Integer> numbers = new ArrayList<>(path);
      numbers.add(field.number());
      if (field.json().isEmpty()) {
        collect(sibling(typeName, field.type()), numbers, facts);
      } else {
        String number = numbers.size() == 1 ? String.valueOf(field.number()) : numbers.toString();
        facts.putIfAbsent(
            field.json(),
            "{\"protobuf\": " + number + (field.omitEmpty() ? ", \"omitempty\": true}" : "}"));
      }
    }
  }

  /** Returns the name of a type as it is referred to in another of its package, or of core/v1. */
  private static String sibling(String typeName, String type) {
    String name = type.replace("*", "");
    return name.indexOf('.') < 0
        ? typeName.substring(0, typeName.lastIndexOf('.') + 1) + name
        : "io.k8s.api.core.v1." + name.substring(name.indexOf('.') + 1);
  }
}
