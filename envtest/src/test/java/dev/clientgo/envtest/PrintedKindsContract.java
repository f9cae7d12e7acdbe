package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.json.YamlText;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of the built-in kinds. */
abstract class PrintedKindsContract extends Contract {

  private static final String[] TABLE = {"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"};

  static Stream<Arguments> samples() throws IOException {
    try (InputStream in =
        requireNonNull(PrintedKindsContract.class.getResourceAsStream("printed-kinds.yaml"))) {
      String text = new String(in.readAllBytes(), UTF_8);
      return ((List<?>) requireNonNull(JsonText.parse(YamlText.toJson(text.getBytes(UTF_8)))))
          .stream().map(JsonTree::asObject).map(s -> Arguments.of(JsonTree.string(s, "path"), s));
    }
  }

  @ParameterizedTest(name = "{index} {0}")
  @MethodSource("samples")
  void table_hasTheColumnsOfTheKind(String kind, Map<String, Object> original) {
    Map<String, Object> sample = new HashMap<>(original);
    if (!since(36)) {
      sample.putAll(JsonTree.object(original, "before-1.36"));
    }
    if (since(37)) {
      sample.putAll(JsonTree.object(original, "since-1.37"));
    }
    String path = kind.replace("NS", namespace);
    String name = JsonTree.string(sample, "object", "metadata", "name");
    create(path, name, sample);

    Answer table = must(200, api().get(path + "/" + name, TABLE));

    assertThat(columns(table)).isEqualTo(sample.get("columns"));
    Map<String, Object> row = JsonTree.objects(table.json(), "rows").get(0);
    if (!"vary".equals(sample.get("cells"))) {
      assertThat(((List<?>) requireNonNull(row.get("cells"))).stream().map(this::timeless).toList())
          .isEqualTo(sample.get("cells"));
    }
    assertThat(conditions(row)).isEqualTo(JsonTree.objects(sample, "conditions"));
  }

  private void create(String path, String name, Map<String, Object> sample) {
    must(201, api().post(path, JsonText.text(sample.get("object")).replace("NS", namespace)));
    if (sample.containsKey("status")) {
      String status = JsonText.text(Map.of("status", requireNonNull(sample.get("status"))));
      must(200, api().mergePatch(path + "/" + name + "/status", status.replace("NS", namespace)));
    }
  }

  private static String columns(Answer table) {
    return JsonTree.objects(table.json(), "columnDefinitions").stream()
        .map(
            column -> {
              String type = JsonTree.string(column, "type");
              String format = JsonTree.string(column, "format");
              return JsonTree.string(column, "name")
                  + (type.equals("string") ? "" : ":" + type)
                  + (format.isEmpty() ? "" : "/" + format)
                  + "+".repeat(requireNonNull(JsonTree.number(column, "priority")).intValue());
            })
        .collect(Collectors.joining(", "));
  }

  private Object timeless(Object cell) {
    return cell instanceof String text
        ? text.replaceFirst("^[0-9]{1,2}s$", "age")
            .replaceFirst("\\b[0-9]+y([0-9]+d)?\\b", "years")
            .replaceFirst("^20[0-9-]+T[0-9:]+Z$", "time")
        : cell;
  }

  private static List<Map<String, Object>> conditions(Map<String, Object> row) {
    Set<String> told = Set.of("type", "status", "reason");
    return JsonTree.objects(row, "conditions").stream()
        .map(
            condition ->
                condition.entrySet().stream()
                    .filter(entry -> told.contains(entry.getKey()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
        .toList();
  }
}
