package dev.clientgo.envtest.internal.tables;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cells of horizontal pod autoscalers. */
final class AutoscalerCells {

  private static final int FEW = 2;

  /** The metric of an autoscaler that does not name one. */
  private static final List<Map<String, Object>> DEFAULT =
      List.of(
          JsonTree.builder()
              .put("type", "Resource")
              .put(
                  "resource",
                  JsonTree.of("name", "cpu", "target", JsonTree.of("averageUtilization", 80L)))
              .build());

  private AutoscalerCells() {}

  /** Returns the current and the target values of the first two metrics. */
  static String targets(Map<String, Object> scaler) {
    List<Map<String, Object>> specified = JsonTree.objects(scaler, "spec", "metrics");
    List<Map<String, Object>> wanted = specified.isEmpty() ? DEFAULT : specified;
    List<Map<String, Object>> measured = JsonTree.objects(scaler, "status", "currentMetrics");
    List<String> all = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      all.add(target(wanted.get(i), i < measured.size() ? measured.get(i) : Map.of()));
    }
    return all.size() <= FEW
        ? String.join(", ", all)
        : String.join(", ", all.subList(0, FEW)) + " + " + (all.size() - FEW) + " more...";
  }

  private static String target(Map<String, Object> wanted, Map<String, Object> measured) {
    return switch (JsonTree.string(wanted, "type")) {
      case "External" -> value(wanted, measured, "external");
      case "Object" -> value(wanted, measured, "object");
      case "Pods" ->
          "%s/%s"
              .formatted(
                  of(measured, "pods", "averageValue"),
                  JsonTree.string(wanted, "pods", "target", "averageValue"));
      case "Resource" -> resource(wanted, measured, "resource");
      case "ContainerResource" -> resource(wanted, measured, "containerResource");
      default -> "<unknown type>";
    };
  }

  private static String value(
      Map<String, Object> wanted, Map<String, Object> measured, String source) {
    String average = JsonTree.string(wanted, source, "target", "averageValue");
    return average.isEmpty()
        ? of(measured, source, "value") + "/" + JsonTree.string(wanted, source, "target", "value")
        : of(measured, source, "averageValue") + "/" + average + " (avg)";
  }

  private static String resource(
      Map<String, Object> wanted, Map<String, Object> measured, String source) {
    String name = JsonTree.string(wanted, source, "name");
    String average = JsonTree.string(wanted, source, "target", "averageValue");
    if (!average.isEmpty()) {
      return name + ": " + of(measured, source, "averageValue") + "/" + average;
    }
    Long now = JsonTree.number(measured, source, "current", "averageUtilization");
    Long target = JsonTree.number(wanted, source, "target", "averageUtilization");
    return "%s: %s/%s"
        .formatted(
            name,
            now == null ? Cells.UNKNOWN : now + "%",
            target == null ? "<auto>" : target + "%");
  }

  private static String of(Map<String, Object> measured, String source, String what) {
    String value = JsonTree.string(measured, source, "current", what);
    return value.isEmpty() ? Cells.UNKNOWN : value;
  }
}
