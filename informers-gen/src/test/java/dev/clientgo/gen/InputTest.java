package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that people point the generator at, and the answers that they get. */
final class InputTest {

  private static final String CRD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: foos.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: foos, kind: Foo}
        versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema: {type: object, properties: {spec: {type: string}}}
      """;

  private static final String RENDER =
      "render it first, for example with \"helm template CHART --include-crds > crds.yaml\"";

  @TempDir private Path temporary;

  private Path folder;

  @BeforeEach
  void createFolder() throws IOException {
    folder = Files.createDirectory(temporary.resolve("crds"));
  }

  private Path write(String name, String text) throws IOException {
    return write(name, text, UTF_8);
  }

  private Path write(String name, String text, Charset charset) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text, charset);
  }

  private static Generator.Builder generator(Path input) {
    return Generator.builder("com.example").input(input);
  }

  private static Report report(Path input) {
    return generator(input).build().generate().report();
  }

  private static void assertFoo(Report report) {
    assertThat(report.problems()).isEmpty();
    assertThat(report.generated()).extracting(Report.Generated::kind).containsExactly("Foo");
  }

  private static void assertProblem(Path input, String problem) {
    assertThat(report(input).problems())
        .extracting(Report.Problem::toString)
        .containsExactly(problem);
  }

  @Test
  void generate_emptyFolder_isAnErrorThatNamesItAndWhatWasExpected() throws IOException {
    write("crd.txt", CRD);

    assertProblem(
        folder,
        folder + ": has no file whose name ends in .yaml, .yml or .json; CRDs were expected");
  }

  @Test
  void generate_folderOfOtherKinds_isAnErrorThatNamesThem() throws IOException {
    write("a.yaml", "kind: Deployment\n---\nkind: ConfigMap\n---\nkind: ConfigMap\n");
    write("b.json", "{\"name\": \"x\"}");

    assertProblem(
        folder,
        folder
            + ": has no CRD, OpenAPI v3 document or schema file in its 2 files, only"
            + " ConfigMap, Deployment");
  }

  @Test
  void generate_oneOfTwoFoldersIsEmpty_isAnErrorAndTheOtherIsUsed() throws IOException {
    write("full/crd.yaml", CRD);
    Path empty = Files.createDirectory(folder.resolve("empty"));

    Report report = generator(folder.resolve("full")).input(empty).build().generate().report();

    assertThat(report.generated()).hasSize(1);
    assertThat(report.problems())
        .extracting(Report.Problem::file)
        .containsExactly(empty.toString());
  }

  @Test
  void generate_emptyFolderAllowed_generatesNothing() {
    Generation generation = generator(folder).allowEmpty(true).build().generate();

    assertThat(generation.report().problems()).isEmpty();
    assertThat(generation.files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n---\n", "kind: ConfigMap\n", "kind: List\nitems: []\n"})
  void generate_fileWithoutResource_isAnError(String text) throws IOException {
    assertProblem(
        write("other.yaml", text), "the input has no CRD that is served and no other resource");
  }

  @Test
  void generate_chart_saysThatHelmRendersIt() throws IOException {
    write("Chart.yaml", "apiVersion: v2\nname: foo\nversion: 1.0.0\n");
    write("values.yaml", "crds: {enabled: true}\n");
    write("templates/foo.yaml", "metadata:\n  name: {{ .Release.Name }}\n");

    assertProblem(
        folder,
        folder
            + ": has no CRD, OpenAPI v3 document or schema file in its 3 files; it is a Helm"
            + " chart: "
            + RENDER);
  }

  @Test
  void generate_chartWithCrds_usesThemAndNotesTheTemplates() throws IOException {
    write("Chart.yaml", "apiVersion: v2\nname: foo\nversion: 1.0.0\n");
    write("crds/foo.yaml", CRD);
    Path template = write("templates/foo.yaml", "metadata:\n  name: {{ .Release.Name }}\n");

    Report report = report(folder);

    assertFoo(report);
    assertThat(report.notes())
        .extracting(Report.Problem::toString)
        .containsExactly(
            template
                + ":2: is a Helm template, not YAML, since it has {{ .Release.Name }}; it names no"
                + " CustomResourceDefinition: skipped");
  }

  @Test
  void generate_kustomization_saysThatKustomizeBuildsIt() throws IOException {
    write("kustomization.yaml", "resources: [../../crd]\n");

    assertProblem(
        folder,
        folder
            + ": has no CRD, OpenAPI v3 document or schema file in its file; it is a"
            + " kustomization: build it first, for example with \"kubectl kustomize "
            + folder
            + " > crds.yaml\"");
  }

  @Test
  void generate_kustomizationBesideCrds_usesThem() throws IOException {
    write("kustomization.yaml", "resources: [bases/foo.yaml]\n");
    write("bases/foo.yaml", CRD);

    assertFoo(report(folder));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{- if .Values.crds.enabled }}",
        "{{ .Values.crds.enabled }}",
        "---\n{{ if .Values.crds.enabled -}}",
        "kind: {{ .Values.kind }}\n---\n{{ if .Values.crds.enabled -}}",
        "{\"CustomResourceDefinition\":\n{{ .Values.crds.enabled }}}"
      })
  void generate_helmTemplate_saysSo(String start) throws IOException {
    Path file = write("foo.yaml", start + "\n" + CRD + "{{- end }}\n");

    assertThat(report(folder).problems().get(0).toString())
        .matches(
            "\\Q"
                + file
                + "\\E:[123]: is a Helm template, not YAML, since it has \\{\\{.*}}; \\Q"
                + RENDER
                + "\\E");
  }

  @ParameterizedTest
  @ValueSource(strings = {"group: {{ .Values.group }}", "{{ .Values.key }}: example.com"})
  void generate_helmTemplateThatYamlTakesForAMap_saysSo(String line) throws IOException {
    Path file = write("foo.yaml", CRD.replace("group: example.com", line));

    assertThat(report(folder).problems())
        .extracting(Report.Problem::toString)
        .singleElement()
        .asString()
        .startsWith(file + ":5: is a Helm template, not YAML, since it has {{ .Values.")
        .endsWith(RENDER);
  }

  @Test
  void generate_helmExpressionInAString_saysSo() throws IOException {
    Path file =
        write("foo.yaml", CRD.replace("group: example.com", "group: '{{ .Values.group }}'"));

    assertProblem(
        folder,
        file + ":5: $.spec.group: \"{{ .Values.group }}\" is of a Helm template; " + RENDER);
  }

  /** The search for an action must not begin again at each blank line. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void generate_helmTemplateBehindManyBlankLines_saysSo() throws IOException {
    String crd = CRD.replace("group: example.com", "{{ .Values.key }}: example.com");
    Path file = write("foo.yaml", "\n".repeat(400_000) + crd);

    assertThat(report(folder).problems())
        .extracting(Report.Problem::toString)
        .singleElement()
        .asString()
        .startsWith(file + ":400005: is a Helm template");
  }

  /** Many CRDs show templates in their descriptions; they are none. */
  @Test
  void generate_helmExpressionInABlockOfText_isText() throws IOException {
    write("foo.yaml", CRD + "description: |\n  {{ .Values.x }} is\n  text\n");

    assertFoo(report(folder));
  }

  /** An error elsewhere in a document without templates is told as it is. */
  @Test
  void generate_invalidYaml_isNoTemplate() throws IOException {
    Path file = write("foo.yaml", CRD + "a: b: c # {{ not an action }}\n");

    assertThat(report(folder).problems())
        .singleElement()
        .asString()
        .startsWith(file + ":14: is not valid YAML: ");
  }

  @Test
  void generate_windowsLineEnds_areLineEnds() throws IOException {
    write("foo.yaml", ("kind: ConfigMap\n---\n" + CRD + "...\n").replace("\n", "\r\n"));

    assertFoo(report(folder));
  }

  @Test
  void generate_byteOrderMarks_areSkipped() throws IOException {
    write("foo.yaml", "\ufeffkind: ConfigMap\n\ufeff---\n" + CRD);

    assertFoo(report(folder));
  }

  @Test
  void generate_byteOrderMarkBeforeJson_isSkipped() throws IOException {
    write("foo.json", "\ufeff{\"kind\": \"List\", \"items\": []}");
    write("foo.yaml", CRD);

    assertFoo(report(folder));
  }

  /** PowerShell's {@code kubectl get crd foos.example.com -o yaml > foo.yaml}. */
  @Test
  void generate_utf16_isRead() throws IOException {
    write("foo.yaml", ("\ufeff" + CRD).replace("\n", "\r\n"), UTF_16LE);

    assertFoo(report(folder));
  }

  @Test
  void generate_emptyFileBesideOthers_isNoted() throws IOException {
    Path empty = write("empty.yaml", "");
    write("foo.yaml", CRD);

    Report report = report(folder);

    assertFoo(report);
    assertThat(report.notes())
        .extracting(Report.Problem::toString)
        .containsExactly(empty + ": is empty");
  }

  @Test
  void generate_list_usesItsItems() throws IOException {
    write("foo.yaml", "apiVersion: v1\nkind: List\nitems:\n- " + CRD.indent(2).strip() + "\n");

    assertFoo(report(folder));
  }

  /** As in the response of a server, the items do not repeat the kind of the list. */
  @Test
  void generate_listOfAServer_usesItsItems() throws IOException {
    String item = CRD.lines().skip(2).reduce("", (a, b) -> a + "  " + b + "\n");
    write(
        "foo.yaml",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- "
            + item.strip()
            + "\n");

    assertFoo(report(folder));
  }

  @Test
  void generate_sequence_usesItsItems() throws IOException {
    write("foo.yaml", "- " + CRD.indent(2).strip() + "\n");

    assertFoo(report(folder));
  }

  @Test
  void generate_crdWithoutApiVersion_isAnError() throws IOException {
    Path file = write("foo.yaml", CRD.lines().skip(1).reduce("", (a, b) -> a + b + "\n"));

    assertProblem(folder, file + ":1: $: needs a string \"apiVersion\"");
  }

  /** The server would refuse it, and a guess would give a client of paths that are not there. */
  @ParameterizedTest
  @CsvSource({
    "cluster, $.spec.scope: \"cluster\" is not Cluster or Namespaced",
    "'', $.spec: needs a string \"scope\""
  })
  void generate_noScope_isAnError(String scope, String problem) throws IOException {
    Path file = write("foo.yaml", CRD.replace("Namespaced", scope));

    assertThat(report(file).problems())
        .singleElement()
        .satisfies(each -> assertThat(each.toString()).endsWith(problem));
  }

  @Test
  void generate_sameKindOfAnotherScope_isNoted() throws IOException {
    write("a.yaml", CRD);
    write("b.yaml", CRD.replace("Namespaced", "Cluster"));

    Report report = report(folder);

    assertFoo(report);
    assertThat(report.notes())
        .singleElement()
        .satisfies(each -> assertThat(each.toString()).contains("is defined twice"));
  }

  @Test
  void text_ofAUsedName_isRefused() {
    Generator.Builder generator = Generator.builder("com.example").text("crd", CRD);

    assertThatThrownBy(() -> generator.text("crd", CRD.replace("Foo", "Bar")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two texts of the name \"crd\"");
  }

  @Test
  void generate_linkToAFolder_isFollowed() throws IOException {
    write("foo.yaml", CRD);

    assertFoo(report(Files.createSymbolicLink(temporary.resolve("link"), folder)));
  }

  @Test
  void generate_folderThatContainsItself_isAnError() throws IOException {
    write("foo.yaml", CRD);
    Files.createSymbolicLink(folder.resolve("again"), folder);

    assertThat(report(folder).problems())
        .singleElement()
        .asString()
        .startsWith(folder + ": cannot list the folder: ");
  }

  @Test
  void generate_withoutInformers_needsNoClassOfToolsCache() throws IOException {
    write("foo.yaml", CRD);

    Generation generation =
        generator(folder).without(Generator.Artifact.INFORMERS).build().generate();

    assertThat(generation.files()).containsKey("com/example/Clientset.java");
    assertThat(generation.files().values())
        .allSatisfy(file -> assertThat(file).doesNotContain("dev.clientgo.cache"));
    Compiled.of(generation);
  }

  /** A kind with a type that JSON does not have is refused; the other kinds are generated. */
  @ParameterizedTest
  @CsvSource({
    "{type: objekt}, ''",
    "'{type: array, items: {type: objekt}}', .items",
    "'{type: object, additionalProperties: {type: objekt}}', .additionalProperties",
    "'{type: object, properties: {deep: {type: objekt}}}', .properties.deep"
  })
  void generate_unknownType_isRefusedWithFilePathAndValue(String spec, String place)
      throws IOException {
    write("foo.yaml", CRD);
    Path file =
        write(
            "bar.yaml",
            CRD.replace("Foo", "Bar")
                .replace("foos", "bars")
                .replaceFirst(
                    "openAPIV3Schema: .*",
                    "openAPIV3Schema: {type: object, properties: {spec: " + spec + "}}"));

    Report report = report(folder);

    assertThat(report.generated()).extracting(Report.Generated::kind).containsExactly("Foo");
    assertThat(report.problems())
        .singleElement()
        .asString()
        .startsWith(file + ":")
        .contains("properties.spec" + place + ".type: \"objekt\" is not a type of JSON");
  }
}
