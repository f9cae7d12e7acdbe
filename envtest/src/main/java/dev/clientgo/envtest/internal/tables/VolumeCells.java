package dev.clientgo.envtest.internal.tables;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Cells of volumes, claims and CSI drivers. */
final class VolumeCells {

  private static final Map<String, String> MODES =
      Map.of(
          "ReadWriteOnce", "RWO",
          "ReadOnlyMany", "ROX",
          "ReadWriteMany", "RWX",
          "ReadWriteOncePod", "RWOP");
  private static final List<String> ORDER =
      List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");

  private VolumeCells() {}

  /** Shows the access modes in the spec or the status. */
  static Cell modes(String part) {
    return (object, now) -> {
      List<String> modes = JsonTree.strings(object, part, "accessModes");
      return ORDER.stream()
          .filter(modes::contains)
          .map(MODES::get)
          .collect(Collectors.joining(","));
    };
  }

  /** Shows a cell only if the claim is bound to a volume. */
  static Cell ifBound(Cell cell) {
    return (claim, now) ->
        JsonTree.string(claim, "spec", "volumeName").isEmpty() ? "" : cell.of(claim, now);
  }

  static String claim(Map<String, Object> volume) {
    return JsonTree.get(volume, "spec", "claimRef") == null
        ? ""
        : "%s/%s"
            .formatted(
                JsonTree.string(volume, "spec", "claimRef", "namespace"),
                JsonTree.string(volume, "spec", "claimRef", "name"));
  }

  static String storageClass(Map<String, Object> object) {
    String annotation = "volume.beta.kubernetes.io/storage-class";
    Map<String, Object> annotations = JsonTree.object(object, "metadata", "annotations");
    return annotations.containsKey(annotation)
        ? JsonTree.string(annotations, annotation)
        : JsonTree.string(object, "spec", "storageClassName");
  }

  static String audiences(Map<String, Object> driver) {
    return JsonTree.get(driver, "spec", "tokenRequests") == null
        ? Cells.UNSET
        : JsonTree.objects(driver, "spec", "tokenRequests").stream()
            .map(request -> JsonTree.string(request, "audience"))
            .collect(Collectors.joining(","));
  }
}
