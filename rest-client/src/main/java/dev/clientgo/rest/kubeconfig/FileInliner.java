package dev.clientgo.rest.kubeconfig;

import dev.clientgo.rest.internal.text.ConfigFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;

/** Replaces the path of a file by its content. */
final class FileInliner {

  private FileInliner() {}

  /** Replaces a path by the field with the content. As in client-go, both together are an error. */
  static YamlMapping inline(YamlMapping tree, String field) {
    String file = tree.string(field);
    String data = field + "-data";
    if (file == null) {
      return tree;
    }
    if (tree.string(data) != null) {
      throw tree.error("has both " + field + " and " + data + ": remove one");
    }
    try {
      byte[] content = ConfigFile.read(Path.of(file));
      return tree.with(field, null).with(data, Base64.getEncoder().encodeToString(content));
    } catch (IOException e) {
      throw tree.error(field + " " + file + " cannot be read: " + e.getMessage());
    }
  }
}
