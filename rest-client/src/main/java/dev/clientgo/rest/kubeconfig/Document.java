package dev.clientgo.rest.kubeconfig;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of a kubeconfig.
 *
 * @param origin what it is, for messages
 * @param file where it is, null if it is in no file
 * @param paths what becomes of relative paths in it
 */
record Document(String origin, @Nullable Path file, LocalPaths paths) {

  private static final List<String> ENTRIES =
      List.of("clusters", "users", "contexts", "current-context");

  /**
   * Reads it.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if it is no kubeconfig
   */
  KubeConfig parse(String text) {
    Tree document = Tree.of(Yaml.parse(text, origin), origin);
    expect(document, "kind", "Config");
    expect(document, "apiVersion", "v1");
    KubeConfig.Builder config = KubeConfig.builder();
    named(document, "clusters", "cluster")
        .forEach((name, tree) -> config.cluster(name, new Cluster(paths.resolve(tree), file)));
    named(document, "users", "user")
        .forEach((name, tree) -> config.user(name, new AuthInfo(paths.resolve(tree), file)));
    named(document, "contexts", "context")
        .forEach((name, tree) -> config.context(name, new Context(tree, file)));
    names(document, "extensions");
    Tree rest = document;
    for (String field : ENTRIES) {
      rest = rest.with(field, null);
    }
    return config.currentContext(document.string("current-context")).rest(rest).build();
  }

  /** A file without kind and version is taken for what it should be. */
  private static void expect(Tree document, String field, String expected) {
    String found = document.string(field);
    if (found != null && !found.equals(expected)) {
      throw document.error(
          "has " + field + " " + found + ", but a kubeconfig has " + field + " " + expected);
    }
  }

  /** An entry without a name is reached by a context that names none. */
  private static Map<String, Tree> named(Tree document, String list, String field) {
    Map<String, Tree> entries = new LinkedHashMap<>();
    names(document, list)
        .forEach(
            (name, entry) -> {
              Tree value = entry.tree(field);
              entries.put(name, value == null ? Tree.EMPTY : value);
            });
    return entries;
  }

  private static Map<String, Tree> names(Tree document, String list) {
    Map<String, Tree> entries = new LinkedHashMap<>();
    for (Tree entry : document.trees(list)) {
      String name = entry.string("name");
      if (entries.put(name == null ? "" : name, entry) != null) {
        throw entry.error(
            name == null
                ? "is the second one without a name: name one of the two"
                : "is the second one named \"" + name + "\": rename or remove one of the two");
      }
    }
    return entries;
  }
}
