package dev.clientgo.rest.kubeconfig;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Paths in a kubeconfig: relative to its directory in the file, absolute in memory. */
final class LocalPaths {

  private static final List<String> FIELDS =
      List.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

  private final @Nullable Path directory;

  /** Creates the rules of a file, or of text that came from no file. */
  LocalPaths(@Nullable Path file) {
    directory = file == null ? null : file.getParent();
  }

  /** Returns a cluster or a user with the paths that lie below the directory relative to it. */
  Tree relativize(Tree tree) {
    if (directory == null) {
      return tree;
    }
    Tree relative = tree;
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
  Tree resolve(Tree tree) {
    if (directory == null) {
      return tree;
    }
    Tree resolved = tree;
    for (String field : FIELDS) {
      String path = tree.string(field);
      if (path != null) {
        resolved = resolved.with(field, directory.resolve(path).normalize().toString());
      }
    }
    Tree exec = tree.tree("exec");
    String command = exec == null ? null : exec.string("command");
    // A bare name is looked up in the PATH when it is run.
    if (exec != null && command != null && command.contains(File.separator)) {
      resolved =
          resolved.with(
              "exec",
              exec.with("command", directory.resolve(command).normalize().toString()).fields());
    }
    return resolved;
  }
}
