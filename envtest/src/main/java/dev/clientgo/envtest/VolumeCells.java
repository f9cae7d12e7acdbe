package dev.clientgo.envtest;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What tables say of volumes, claims and drivers. */
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

  /** Shows the access modes of the spec or the status. */
  static Cell modes(String part) {
    return (object, now) -> {
      List<String> modes = Tree.strings(object, part, "accessModes");
      return ORDER.stream()
          .filter(modes::contains)
          .map(MODES::get)
          .collect(Collectors.joining(","));
    };
  }

  /** Shows something of a claim that has a volume. */
  static Cell ifBound(Cell cell) {
    return (claim, now) ->
        Tree.string(claim, "spec", "volumeName").isEmpty() ? "" : cell.of(claim, now);
  }

  static String claim(Map<String, Object> volume) {
    return Tree.get(volume, "spec", "claimRef") == null
        ? ""
        : Tree.string(volume, "spec", "claimRef", "namespace")
            + "/"
            + Tree.string(volume, "spec", "claimRef", "name");
  }

  static String storageClass(Map<String, Object> object) {
    String annotation = "volume.beta.kubernetes.io/storage-class";
    Map<String, Object> annotations = Tree.object(object, "metadata", "annotations");
    return annotations.containsKey(annotation)
        ? Tree.string(annotations, annotation)
        : Tree.string(object, "spec", "storageClassName");
  }

  static String audiences(Map<String, Object> driver) {
    return Tree.get(driver, "spec", "tokenRequests") == null
        ? Cells.UNSET
        : Tree.objects(driver, "spec", "tokenRequests").stream()
            .map(request -> Tree.string(request, "audience"))
            .collect(Collectors.joining(","));
  }
}
