package dev.clientgo.rest.kubeconfig;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves the paths in a kubeconfig, which are relative to its directory. */
final class RelativePaths {

  private static final List<String> FIELDS =
      List.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

  private final @Nullable Path directory;

  /** Uses the directory of a file; without a file, paths stay as they are. */
  RelativePaths(@Nullable Path file) {
    directory = file == null ? null : file.getParent();
  }

  /** Returns a cluster or a user whose paths below the directory are relative to it. */
  YamlMapping relativize(YamlMapping tree) {
    if (directory == null) {
      return tree;
    }
    YamlMapping relative = tree;
    for (String field : FIELDS) {
      String path = tree.string(field);
      if (path != null) {
        Path absolute = directory.resolve(path).normalize();
        relative =
            relative.with(
                field,
                absolute.startsWith(directory)
                    ? directory.relativize(absolute).toString()
                    : absolute.toString());
      }
    }
    return relative;
  }

  /** Returns a cluster or a user with absolute paths. */
  YamlMapping resolve(YamlMapping tree) {
    if (directory == null) {
      return tree;
    }
    YamlMapping resolved = tree;
    for (String field : FIELDS) {
      String path = tree.string(field);
      if (path != null) {
        resolved = resolved.with(field, directory.resolve(path).normalize().toString());
      }
    }
    YamlMapping exec = tree.tree("exec");
    String command = exec == null ? null : exec.string("command");
    // A bare name is looked up in PATH when the plugin is run.
    if (exec != null && command != null && command.contains(File.separator)) {
      resolved =
          resolved.with(
              "exec",
              exec.with("command", directory.resolve(command).normalize().toString()).fields());
    }
    return resolved;
  }
}
