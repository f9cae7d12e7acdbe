package dev.clientgo.gen.internal.model;

import java.util.Map;

/**
 * The settings that decide which classes are generated, and their names.
 *
 * @param basePackage the package that contains the others
 * @param groupPackages the packages of groups, relative to the base package; empty for itself
 * @param classes the classes to use for parts of schemas, by place
 * @param reuseKubernetes whether to use the classes of the module {@code kubernetes}
 */
public record ModelOptions(
    String basePackage,
    Map<String, String> groupPackages,
    Map<String, String> classes,
    boolean reuseKubernetes) {

  public ModelOptions {
    groupPackages = Map.copyOf(groupPackages);
    classes = Map.copyOf(classes);
  }
}
