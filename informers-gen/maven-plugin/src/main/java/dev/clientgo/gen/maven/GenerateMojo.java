package dev.clientgo.gen.maven;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.Generation;
import dev.clientgo.gen.Generator;
import dev.clientgo.gen.report.Report;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/**
 * Generates Java from CRDs, and adds it to the sources of the project.
 *
 * <p>Does nothing if the input has not changed since the last run. Files that are no longer
 * generated are deleted, and unchanged files are not touched. {@code META-INF/maven/plugin.xml}
 * describes the parameters.
 */
public final class GenerateMojo extends AbstractMojo {

  private static final String DEFAULT_INPUT = "src/main/crds";
  private static final String LIBRARY = "dev.clientgo";

  private @Nullable MavenProject project;
  private @Nullable MojoExecution execution;
  private @Nullable String packageName;
  private @Nullable List<File> inputs;
  private @Nullable File outputDirectory;
  private @Nullable Map<String, String> groupPackages;
  private @Nullable Map<String, String> mapClasses;
  private @Nullable List<String> only;
  private @Nullable List<String> without;
  private boolean kubernetes;
  private @Nullable Boolean reuseKubernetes;
  private boolean allowEmpty;
  private boolean checkDependencies = true;
  private boolean failOnError = true;
  private boolean skip;

  /** Called by Maven, which then sets the fields. */
  public GenerateMojo() {}

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("informers-gen is skipped");
      return;
    }
    MavenProject target = requireNonNull(project);
    Path output = requireNonNull(outputDirectory).toPath();
    claim(target, output);
    List<Path> paths = paths(target);
    Set<Generator.Artifact> excluded = excluded(target);
    Fingerprint fingerprint = Fingerprint.of(settings(target, excluded), paths);
    if (fingerprint.isOf(output)) {
      getLog().info("the generated sources are up to date");
    } else {
      Fingerprint.removeFrom(output); // A run that fails or is killed leaves a part of its files.
      Report report = generate(generator(target, paths, excluded), output);
      if (report.problems().isEmpty()) {
        fingerprint.writeTo(output);
      }
    }
    target.addCompileSourceRoot(output.toString());
  }

  /** Two executions cannot share a folder: each would delete the files of the other. */
  private void claim(MavenProject target, Path output) throws MojoExecutionException {
    String key = GenerateMojo.class.getName() + ":" + output.toAbsolutePath().normalize();
    String id = requireNonNull(execution).getExecutionId();
    Object other = target.getContextValue(key);
    if (other != null && !other.equals(id)) {
      throw new MojoExecutionException(
          "the executions '%s' and '%s' both write to %s, where each would delete the files of the"
                  .formatted(other, id, output)
              + " other; give each its own <outputDirectory> and <packageName>");
    }
    target.setContextValue(key, id);
  }

  private List<Path> paths(MavenProject target) throws MojoExecutionException {
    List<Path> paths;
    if (inputs != null && !inputs.isEmpty()) {
      paths = inputs.stream().map(File::toPath).toList();
    } else {
      Path usual = target.getBasedir().toPath().resolve(DEFAULT_INPUT);
      paths = kubernetes && !Files.exists(usual) ? List.of() : List.of(usual);
    }
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new MojoExecutionException(
            "there is no file or folder " + path + "; <inputs> says where the CRDs are");
      }
    }
    return paths;
  }

  /** Returns the artifacts that the project excludes, or lacks the dependencies for. */
  private Set<Generator.Artifact> excluded(MavenProject target)
      throws MojoExecutionException, MojoFailureException {
    Set<Generator.Artifact> excluded = EnumSet.noneOf(Generator.Artifact.class);
    if (without != null) {
      for (String name : without) {
        excluded.add(artifact(name));
      }
    }
    if (!checkDependencies) {
      return excluded;
    }
    if (!dependsOn(target, "api-machinery")) {
      throw new MojoFailureException(
          "generated code does not compile in this project: it needs "
              + LIBRARY
              + ":rest-client for clients and "
              + LIBRARY
              + ":tools-cache for informers, and neither is among the project's <dependencies>."
              + " If a jar of another name has their classes, set"
              + " <checkDependencies>false</checkDependencies>");
    }
    if (!excluded.contains(Generator.Artifact.CLIENTS) && !dependsOn(target, "rest-client")) {
      excluded.add(Generator.Artifact.CLIENTS);
      excluded.add(Generator.Artifact.INFORMERS);
      warnExcluded("Clientset and no InformerFactory", "rest-client", Generator.Artifact.CLIENTS);
    } else if (!excluded.contains(Generator.Artifact.INFORMERS)
        && !excluded.contains(Generator.Artifact.CLIENTS)
        && !dependsOn(target, "tools-cache")) {
      excluded.add(Generator.Artifact.INFORMERS);
      warnExcluded("InformerFactory", "tools-cache", Generator.Artifact.INFORMERS);
    }
    return excluded;
  }

  private static Generator.Artifact artifact(String name) throws MojoExecutionException {
    try {
      return Generator.Artifact.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException(
          "<without> names \"" + name + "\"; it takes " + List.of(Generator.Artifact.values()), e);
    }
  }

  private void warnExcluded(String what, String module, Generator.Artifact artifact) {
    getLog()
        .warn(
            "no %s is generated, since the project does not depend on %s:%s; add the dependency, or"
                    .formatted(what, LIBRARY, module)
                + " leave it out without this warning: <without><artifact>%s</artifact></without>"
                    .formatted(artifact));
  }

  /** Returns whether a module of the library is on the class path that the compiler gets. */
  private static boolean dependsOn(MavenProject target, String module) {
    return target.getArtifacts().stream()
        .anyMatch(
            dependency ->
                dependency.getGroupId().equals(LIBRARY)
                    && dependency.getArtifactId().equals(module));
  }

  /** Returns all settings that the output depends on. */
  private String settings(MavenProject target, Set<Generator.Artifact> excluded) {
    return String.join(
        "\n",
        String.valueOf(packageName),
        sorted(groupPackages),
        sorted(mapClasses),
        String.valueOf(only),
        String.valueOf(excluded),
        String.valueOf(kubernetes),
        String.valueOf(allowEmpty),
        String.valueOf(reuses(target)));
  }

  private static String sorted(@Nullable Map<String, String> map) {
    return map == null ? "" : new TreeMap<>(map).toString();
  }

  private boolean reuses(MavenProject target) {
    return reuseKubernetes != null ? reuseKubernetes : dependsOn(target, "kubernetes");
  }

  private Report generate(Generator generator, Path output) throws MojoFailureException {
    Generation generation = generator.generate();
    generation.writeTo(output);
    Report report = generation.report();
    report.fallbacks().forEach(each -> getLog().debug(each.toString()));
    report.notes().forEach(each -> getLog().info(each.toString()));
    report.problems().forEach(each -> getLog().error(each.toString()));
    getLog().info(report.summary());
    if (failOnError && !report.problems().isEmpty()) {
      Report.Problem first = report.problems().get(0);
      throw new MojoFailureException("some input could not be used: " + first);
    }
    return report;
  }

  private Generator generator(
      MavenProject target, List<Path> paths, Set<Generator.Artifact> excluded)
      throws MojoExecutionException {
    if (packageName == null) {
      throw new MojoExecutionException("<packageName> is missing");
    }
    try {
      Generator.Builder builder = Generator.builder(packageName);
      paths.forEach(builder::input);
      if (groupPackages != null) {
        groupPackages.forEach(
            (group, name) -> builder.groupPackage(group, name == null ? "" : name));
      }
      if (mapClasses != null) {
        mapClasses.forEach(builder::mapClass);
      }
      if (only != null) {
        only.forEach(builder::only);
      }
      excluded.forEach(builder::without);
      if (kubernetes) {
        builder.kubernetes();
      }
      return builder.reuseKubernetes(reuses(target)).allowEmpty(allowEmpty).build();
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }
}
