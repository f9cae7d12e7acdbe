package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the resources of a category, such as {@code all}.
 *
 * <p>Corresponds to client-go's {@code restmapper.CategoryExpander}.
 */
@FunctionalInterface
public interface CategoryExpander {

  /**
   * Returns the resources of a category, empty if there is no such category.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if discovery fails
   * @throws InterruptedException if the thread is interrupted
   */
  List<GroupResource> expand(String category) throws InterruptedException;

  /** Returns an expander with a fixed table. */
  static CategoryExpander of(Map<String, List<GroupResource>> table) {
    Map<String, List<GroupResource>> copy = Map.copyOf(table);
    return category -> List.copyOf(copy.getOrDefault(category, List.of()));
  }

  /** Returns an expander that asks a server each time. */
  static CategoryExpander of(Discovery discovery) {
    requireNonNull(discovery, "discovery");
    return category -> {
      Set<GroupResource> found = new LinkedHashSet<>();
      discovery
          .serverGroupsAndResources()
          .resources()
          .forEach(
              (version, resources) ->
                  resources.stream()
                      .filter(resource -> resource.categories().contains(category))
                      .forEach(
                          resource ->
                              found.add(new GroupResource(version.group(), resource.name()))));
      return List.copyOf(found);
    };
  }

  /** Returns an expander that combines the results of several. */
  static CategoryExpander union(List<CategoryExpander> expanders) {
    List<CategoryExpander> all = List.copyOf(expanders);
    return category -> {
      Set<GroupResource> found = new LinkedHashSet<>();
      for (CategoryExpander expander : all) {
        found.addAll(expander.expand(category));
      }
      return List.copyOf(found);
    };
  }
}
