package dev.clientgo.gen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the Go types of Kubernetes say and its OpenAPI does not: the numbers that fields have in
 * protobuf, and which fields a server leaves out of JSON if they are zero.
 *
 * <p>Go may write the fields of one struct into the JSON of another, where protobuf keeps them
 * apart. Such a field has all numbers on the way to it: {@code [2, 1]}.
 */
final class GoTypes {

  private static final Pattern STRUCT = Pattern.compile("type (\\w{1,200}) struct \\{\\s*");
  private static final Pattern FIELD =
      Pattern.compile(
          "\\s+(?:(?<name>\\w{1,200})\\s+)?(?<type>[\\w.*\\[\\]]{1,200})\\s+`(?<tags>.{1,500})`.*");
  private static final Pattern JSON = Pattern.compile("json:\"([^\",]*)([^\"]*)\"");
  private static final Pattern PROTOBUF = Pattern.compile("protobuf:\"\\w+,(\\d{1,9}),[^\"]*\"");

  /** A field, or a struct whose fields stand for it in JSON. */
  private record Field(String json, String type, int number, boolean omitEmpty) {}

  private final Map<String, List<Field>> structs = new TreeMap<>();

  private GoTypes() {}

  /**
   * Reads the types of a checkout.
   *
   * @param k8sIo the folder that holds {@code api}, {@code apimachinery} and others, such as {@code
   *     staging/src/k8s.io} of Kubernetes
   */
  static GoTypes read(Path k8sIo) throws IOException {
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
    return name.startsWith("types") && name.endsWith(".go") && !name.contains("_swagger_");
  }

  private void readFile(String prefix, List<String> lines) {
    List<Field> fields = new ArrayList<>();
    for (String line : lines) {
      Matcher struct = STRUCT.matcher(line);
      Matcher field = FIELD.matcher(line);
      if (struct.matches()) {
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
   * Adds to the schema of a type what is known about its fields: {@code protobuf}, and {@code
   * omitempty} where zero is the same as absent.
   */
  void addTo(String typeName, Node properties) {
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
        : "io.k8s.api.core." + name;
  }
}
