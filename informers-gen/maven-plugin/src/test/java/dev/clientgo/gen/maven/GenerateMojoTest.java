package dev.clientgo.gen.maven;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.model.Model;
import org.apache.maven.model.Plugin;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.Log;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The goal; the module examples runs it in a real build. */
final class GenerateMojoTest {

  private static final String CRD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: %1$ss.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: %1$ss, kind: %2$s}
        versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
      """;

  @TempDir private Path folder;

  private final List<String> log = new ArrayList<>();
  private final MavenProject project = new MavenProject(new Model());
  private final GenerateMojo mojo = new GenerateMojo();
  private Path output;

  @BeforeEach
  void configure() throws IOException {
    output = folder.resolve("target/generated-sources/informers-gen");
    project.setFile(folder.resolve("pom.xml").toFile());
    crd("Foo");
    set("project", project);
    execution("default");
    dependencies("api-machinery", "rest-client", "tools-cache");
    set("packageName", "com.example.api");
    set("outputDirectory", output.toFile());
    Log recorder =
        new SystemStreamLog() {
          @Override
          public void info(CharSequence text) {
            log.add(text.toString());
          }

          @Override
          public void warn(CharSequence text) {
            log.add("warning: " + text);
          }

          @Override
          public void error(CharSequence text) {
            log.add("error: " + text);
          }
        };
    mojo.setLog(recorder);
  }

  private Path crd(String kind) throws IOException {
    Path crds = Files.createDirectories(folder.resolve("src/main/crds"));
    return Files.writeString(
        crds.resolve(kind + ".yaml"),
        CRD.formatted(kind.toLowerCase(java.util.Locale.ROOT), kind),
        UTF_8);
  }

  private void set(String name, Object value) {
    try {
      Field field = GenerateMojo.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(mojo, value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  private void execution(String id) {
    set("execution", new MojoExecution(new Plugin(), "generate", id));
  }

  /** Sets the dependencies of the project, direct and not. */
  private void dependencies(String... modules) {
    Set<Artifact> artifacts = new LinkedHashSet<>();
    for (String module : modules) {
      artifacts.add(
          new DefaultArtifact(
              "dev.clientgo",
              module,
              "1",
              "compile",
              "jar",
              null,
              new DefaultArtifactHandler("jar")));
    }
    project.setArtifacts(artifacts);
  }

  private Path type(String kind) {
    return output.resolve("com/example/api/v1/" + kind + ".java");
  }

  @Test
  void execute_usualFolder_generatesSourcesOfTheProject() throws Exception {
    mojo.execute();

    assertThat(type("Foo")).content().contains("public record Foo(");
    assertThat(project.getCompileSourceRoots()).containsExactly(output.toString());
  }

  @Test
  void execute_nothingChanged_doesNothing() throws Exception {
    mojo.execute();
    Files.setLastModifiedTime(type("Foo"), FileTime.fromMillis(1_000));
    log.clear();

    mojo.execute();

    assertThat(log).containsExactly("the generated sources are up to date");
    assertThat(Files.getLastModifiedTime(type("Foo")).toMillis()).isEqualTo(1_000);
  }

  @Test
  void execute_outputIsMissing_generatesAnew() throws Exception {
    mojo.execute();
    Files.delete(type("Foo"));

    mojo.execute();

    assertThat(type("Foo")).exists();
  }

  /** A run that fails leaves files that differ from those of the run before. */
  @Test
  void execute_asBeforeARunThatFailed_generatesAnew() throws Exception {
    mojo.execute();
    Path foo = folder.resolve("src/main/crds/Foo.yaml");
    String before = Files.readString(foo, UTF_8);
    Files.writeString(foo, before.replace("size:", "length:"), UTF_8);
    Path bad = Files.writeString(folder.resolve("src/main/crds/bad.yaml"), "a: b: c", UTF_8);
    assertThatThrownBy(mojo::execute).isInstanceOf(MojoFailureException.class);
    assertThat(type("Foo")).content().contains("length");

    Files.writeString(foo, before, UTF_8);
    Files.delete(bad);
    mojo.execute();

    assertThat(type("Foo")).content().contains("size").doesNotContain("length");
  }

  @Test
  void execute_crdRemoved_deletesItsTypesAndLeavesOthersAlone() throws Exception {
    Path bar = crd("Bar");
    mojo.execute();
    Files.setLastModifiedTime(type("Foo"), FileTime.fromMillis(1_000));
    assertThat(type("Bar")).exists();

    Files.delete(bar);
    mojo.execute();

    assertThat(type("Bar")).doesNotExist();
    assertThat(Files.getLastModifiedTime(type("Foo")).toMillis()).isEqualTo(1_000);
  }

  @Test
  void execute_settingsChanged_generatesAnew() throws Exception {
    mojo.execute();

    set("without", List.of("informers", "CLIENTS"));
    mojo.execute();

    assertThat(output.resolve("com/example/api/Clientset.java")).doesNotExist();
    assertThat(output.resolve("com/example/api/ApiScheme.java")).exists();
  }

  @Test
  void execute_badDocument_failsAfterTheOthers() throws Exception {
    Files.writeString(folder.resolve("src/main/crds/bad.yaml"), "a: b: c", UTF_8);

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining("bad.yaml:1: is not valid YAML");
    assertThat(type("Foo")).exists();

    log.clear();
    assertThatThrownBy(mojo::execute).isInstanceOf(MojoFailureException.class);
    set("failOnError", false);
    mojo.execute();
    assertThat(log).anyMatch(line -> line.startsWith("error: ") && line.contains("bad.yaml:1"));
  }

  @Test
  void execute_noInput_saysWhereItLooked() {
    set("inputs", List.of(new File("no/such/folder")));

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessage("there is no file or folder no/such/folder; <inputs> says where the CRDs are");
  }

  @Test
  void execute_projectWithKubernetes_reusesItsTypes() throws Exception {
    Files.copy(Path.of("../src/test/resources/reuse.yaml"), folder.resolve("src/main/crds/w.yaml"));
    mojo.execute();
    Path widget = output.resolve("com/example/api/example/reuse/v1/Widget.java");
    assertThat(widget).content().doesNotContain("dev.clientgo.kubernetes");

    dependencies("api-machinery", "rest-client", "tools-cache", "kubernetes");
    mojo.execute();

    assertThat(widget).content().contains("import dev.clientgo.kubernetes.core.v1.Toleration;");
  }

  @Test
  void execute_projectWithoutToolsCache_generatesClientsThatDoNotNeedItAndSaysSo()
      throws Exception {
    dependencies("api-machinery", "rest-client");

    mojo.execute();

    assertThat(output.resolve("com/example/api/InformerFactory.java")).doesNotExist();
    assertThat(output.resolve("com/example/api/Clientset.java"))
        .content()
        .contains("public final class Clientset {")
        .doesNotContain("dev.clientgo.cache");
    assertThat(log)
        .contains(
            "warning: no InformerFactory is generated, since the project does not depend on"
                + " dev.clientgo:tools-cache; add the dependency, or leave it out without this"
                + " warning: <without><artifact>INFORMERS</artifact></without>");

    set("without", List.of("INFORMERS"));
    log.clear();
    mojo.execute();
    assertThat(log).containsExactly("the generated sources are up to date");

    set("without", null);
    dependencies("api-machinery", "rest-client", "tools-cache");
    log.clear();
    mojo.execute();
    assertThat(output.resolve("com/example/api/InformerFactory.java")).exists();
    assertThat(log).noneMatch(line -> line.startsWith("warning: "));
  }

  @Test
  void execute_projectWithoutRestClient_generatesTypesAndSchemeAndSaysSo() throws Exception {
    dependencies("api-machinery");

    mojo.execute();

    assertThat(type("Foo")).exists();
    assertThat(output.resolve("com/example/api/ApiScheme.java")).exists();
    assertThat(output.resolve("com/example/api/Clientset.java")).doesNotExist();
    assertThat(output.resolve("com/example/api/InformerFactory.java")).doesNotExist();
    assertThat(log)
        .anyMatch(
            line ->
                line.startsWith("warning: no Clientset and no InformerFactory is generated")
                    && line.contains("dev.clientgo:rest-client"));
  }

  @Test
  void execute_projectWithoutTheLibrary_saysWhatToAdd() throws Exception {
    dependencies();

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining("dev.clientgo:rest-client for clients")
        .hasMessageContaining("dev.clientgo:tools-cache for informers")
        .hasMessageContaining("<checkDependencies>false</checkDependencies>");
    assertThat(output).doesNotExist();

    set("checkDependencies", false);
    mojo.execute();
    assertThat(output.resolve("com/example/api/InformerFactory.java")).exists();
  }

  @Test
  void execute_withoutWhatDoesNotExist_saysWhatDoes() {
    set("without", List.of("listers"));

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessage("<without> names \"listers\"; it takes [CLIENTS, INFORMERS, SCHEME]");
  }

  @Test
  void execute_folderWithoutCrds_failsUnlessAllowed() throws Exception {
    Path crds = folder.resolve("src/main/crds");
    Files.delete(crds.resolve("Foo.yaml"));

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining(
            crds + ": has no file whose name ends in .yaml, .yml or .json; CRDs were expected");

    set("allowEmpty", true);
    mojo.execute();
    assertThat(project.getCompileSourceRoots()).containsExactly(output.toString());
  }

  @Test
  void execute_helmTemplate_saysThatHelmRendersIt() throws Exception {
    Path template = folder.resolve("src/main/crds/Foo.yaml");
    String crd = Files.readString(template, UTF_8);
    Files.writeString(template, "{{- if .Values.crds }}\n" + crd + "{{- end }}\n", UTF_8);

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining(template + ":1: is a Helm template, not YAML")
        .hasMessageContaining("helm template CHART --include-crds");
  }

  @Test
  void execute_folderOfAnotherExecution_isRefused() throws Exception {
    mojo.execute();

    execution("others");

    assertThatThrownBy(mojo::execute)
        .isInstanceOf(MojoExecutionException.class)
        .hasMessageContaining("'default' and 'others' both write to " + output)
        .hasMessageContaining("<outputDirectory>");
    assertThat(type("Foo")).exists();

    set("outputDirectory", folder.resolve("target/others").toFile());
    mojo.execute();
    assertThat(folder.resolve("target/others/com/example/api/Clientset.java")).exists();
  }

  @Test
  void execute_skip_doesNothing() throws Exception {
    set("skip", true);

    mojo.execute();

    assertThat(output).doesNotExist();
  }

  /** The descriptor is written by hand, so it is held to the class. */
  @Test
  void descriptor_namesEveryField() throws Exception {
    List<String> names = new ArrayList<>();
    try (InputStream in = GenerateMojo.class.getResourceAsStream("/META-INF/maven/plugin.xml")) {
      Element root =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement();
      assertThat(root.getElementsByTagName("implementation").item(0).getTextContent())
          .isEqualTo(GenerateMojo.class.getName());
      assertThat(root.getElementsByTagName("version").item(0).getTextContent())
          .doesNotContain("@", "$");
      NodeList parameters = root.getElementsByTagName("parameter");
      for (int i = 0; i < parameters.getLength(); i++) {
        Element parameter = (Element) parameters.item(i);
        String name = parameter.getElementsByTagName("name").item(0).getTextContent();
        names.add(name);
        assertThat(GenerateMojo.class.getDeclaredField(name).getType().getName())
            .isEqualTo(parameter.getElementsByTagName("type").item(0).getTextContent());
      }
    }
    List<String> fields = new ArrayList<>();
    for (Field field : GenerateMojo.class.getDeclaredFields()) {
      if (!java.lang.reflect.Modifier.isStatic(field.getModifiers())) {
        fields.add(field.getName());
      }
    }
    assertThat(names).containsExactlyInAnyOrderElementsOf(fields);
  }
}
