package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.yaml.YamlDocument;
import dev.clientgo.apimachinery.yaml.YamlReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a kubeconfig.
 *
 * @param origin the name of the text, for messages
 * @param file the file of the text, null if there is none
 * @param paths resolves relative paths
 */
record KubeConfigParser(String origin, @Nullable Path file, RelativePaths paths) {

  private static final List<String> ENTRIES =
      List.of("clusters", "users", "contexts", "current-context");

  /**
   * Parses a text.
   *
   * @throws ConfigException if it is not a kubeconfig
   */
  KubeConfig parse(String text) {
    YamlMapping document = YamlMapping.of(tree(text), origin);
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
    YamlMapping rest = document;
    for (String field : ENTRIES) {
      rest = rest.with(field, null);
    }
    return config.currentContext(document.string("current-context")).rest(rest).build();
  }

  /** Reads the first document. Of duplicate fields, the last one counts, as in kubectl. */
  private @Nullable Object tree(String text) {
    try {
      List<YamlDocument> documents = YamlReader.of(origin).allowDuplicateKeys().read(text);
      return documents.isEmpty() ? null : documents.get(0).tree();
    } catch (CodecException e) { // The message shows no values, which may be secret.
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  /** Checks kind or apiVersion if present; a file without them is accepted. */
  private static void expect(YamlMapping document, String field, String expected) {
    String found = document.string(field);
    if (found != null && !found.equals(expected)) {
      throw document.error(
          "has " + field + " " + found + ", but a kubeconfig has " + field + " " + expected);
    }
  }

  /**
   * Returns entries by name; a context without a cluster or user name uses the entry without one.
   */
  private static Map<String, YamlMapping> named(YamlMapping document, String list, String field) {
    Map<String, YamlMapping> entries = new LinkedHashMap<>();
    names(document, list)
        .forEach(
            (name, entry) -> {
              YamlMapping value = entry.tree(field);
              entries.put(name, value == null ? YamlMapping.EMPTY : value);
            });
    return entries;
  }

  private static Map<String, YamlMapping> names(YamlMapping document, String list) {
    Map<String, YamlMapping> entries = new LinkedHashMap<>();
    for (YamlMapping entry : document.trees(list)) {
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
