package dev.clientgo.gen.maven;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.Artifact;
import dev.clientgo.gen.Generation;
import dev.clientgo.gen.Generator;
import dev.clientgo.gen.Problem;
import dev.clientgo.gen.Report;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * <p>Does nothing if the input is what it was the last time. Files that are no longer made are
 * deleted, and those that have not changed are not touched. What the parameters mean is in {@code
 * META-INF/maven/plugin.xml}.
 */
public final class GenerateMojo extends AbstractMojo {

  private static final String DEFAULT_INPUT = "src/main/crds";

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
  private boolean failOnError = true;
  private boolean skip;

  /** Made by Maven, which sets the fields. */
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
    Fingerprint fingerprint = Fingerprint.of(settings(target), paths);
    if (fingerprint.isOf(output)) {
      getLog().info("the generated sources are up to date");
    } else {
      Fingerprint.removeFrom(output); // What fails or is killed has written a part.
      Report report = generate(target, paths, output);
      if (report.problems().isEmpty()) {
        fingerprint.writeTo(output);
      }
    }
    target.addCompileSourceRoot(output.toString());
  }

  /** What an execution does not make it deletes, so two of them cannot share a folder. */
  private void claim(MavenProject target, Path output) throws MojoExecutionException {
    String key = GenerateMojo.class.getName() + ":" + output.toAbsolutePath().normalize();
    String id = requireNonNull(execution).getExecutionId();
    Object other = target.getContextValue(key);
    if (other != null && !other.equals(id)) {
      throw new MojoExecutionException(
          "the executions '%s' and '%s' both write to %s, where each would delete what the other"
                  .formatted(other, id, output)
              + " made; give each its own <outputDirectory> and <packageName>");
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

  /** Returns everything but the input that the output depends on. */
  private String settings(MavenProject target) {
    return String.join(
        "\n",
        String.valueOf(packageName),
        sorted(groupPackages),
        sorted(mapClasses),
        String.valueOf(only),
        String.valueOf(without),
        String.valueOf(kubernetes),
        String.valueOf(reuses(target)));
  }

  private static String sorted(@Nullable Map<String, String> map) {
    return map == null ? "" : new TreeMap<>(map).toString();
  }

  private boolean reuses(MavenProject target) {
    return reuseKubernetes != null
        ? reuseKubernetes
        : target.getDependencies().stream()
            .anyMatch(
                dependency ->
                    dependency.getGroupId().equals("dev.clientgo")
                        && dependency.getArtifactId().equals("kubernetes"));
  }

  private Report generate(MavenProject target, List<Path> paths, Path output)
      throws MojoExecutionException, MojoFailureException {
    Generation generation = generator(target, paths).generate();
    generation.writeTo(output);
    Report report = generation.report();
    report.fallbacks().forEach(each -> getLog().debug(each.toString()));
    report.problems().forEach(each -> getLog().error(each.toString()));
    getLog().info(report.summary());
    if (failOnError && !report.problems().isEmpty()) {
      Problem first = report.problems().get(0);
      throw new MojoFailureException("some input could not be used: " + first);
    }
    return report;
  }

  private Generator generator(MavenProject target, List<Path> paths) throws MojoExecutionException {
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
      if (without != null) {
        without.forEach(name -> builder.without(Artifact.valueOf(name.toUpperCase(Locale.ROOT))));
      }
      if (kubernetes) {
        builder.kubernetes();
      }
      return builder.reuseKubernetes(reuses(target)).build();
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    }
  }
}
