package dev.clientgo.liveview;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects that the API server has at one moment. The page compares them with the store.
 *
 * @param version the newest version of the collection
 * @param versions the version of each object by its key
 * @param watches how many watches are open
 */
public record ServerState(String version, Map<String, String> versions, int watches) {

  /** Copies the versions. */
  public ServerState {
    versions = Map.copyOf(versions);
  }

  Map<String, Object> tree() {
    List<Object> objects =
        versions.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .limit(InformerView.SHOWN)
            .<Object>map(object -> Map.of("key", object.getKey(), "version", object.getValue()))
            .toList();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("version", version);
    tree.put("size", versions.size());
    tree.put("objects", objects);
    tree.put("watches", watches);
    return tree;
  }
}
