package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManifestsTest {

  private static String object(String name) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"%s\"}}"
        .formatted(name);
  }

  private static List<String> names(Manifests manifests) {
    return manifests.objects().stream().map(object -> object.metadata().name()).toList();
  }

  @Test
  void read_ofAFolder_takesItsFilesInOrder(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("b.yml"), object("b1") + "\n---\n" + object("b2"));
    Files.writeString(folder.resolve("a.json"), object("a"));
    Files.writeString(folder.resolve("c.txt"), object("c"));
    Path inner = Files.createDirectory(folder.resolve("d"));
    Files.writeString(inner.resolve("d.yaml"), object("d"));

    assertThat(names(Manifests.read(folder))).containsExactly("a", "b1", "b2");
    assertThat(names(Manifests.readRecursively(folder))).containsExactly("a", "b1", "b2", "d");
    assertThat(names(Manifests.read(folder.resolve("c.txt")))).containsExactly("c");
  }

  @Test
  void read_ofAFolderWithoutManifests_isAnError(@TempDir Path folder) {
    assertThatThrownBy(() -> Manifests.read(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no files *.yaml, *.yml or *.json");
  }

  @Test
  void read_ofAStream_readsIt() {
    byte[] text = object("s").getBytes(StandardCharsets.UTF_8);

    assertThat(names(Manifests.read(new ByteArrayInputStream(text), "stdin"))).containsExactly("s");
  }

  @Test
  void objects_ofAType_areTyped() {
    Manifests manifests =
        Manifests.parse(
            object("one") + "\n---\n{apiVersion: v1, kind: Pod, metadata: {name: p}}\n",
            "all.yaml");

    assertThat(manifests.objects(ConfigMap.TYPE))
        .extracting(map -> map.metadata().name())
        .containsExactly("one");
    assertThat(manifests.objects(Pod.TYPE)).hasSize(1);
    Manifests wrong =
        Manifests.parse("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: [1]}", "bad.yaml");
    assertThatThrownBy(() -> wrong.objects(Pod.TYPE))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("bad.yaml, line 1, column 1 (document 1): ");
  }

  @Test
  void parse_ofLists_flattensThem() {
    Manifests manifests =
        Manifests.parse(
            """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Pod, metadata: {name: a}}
            - apiVersion: v1
              kind: ConfigMapList
              items: [{metadata: {name: b}}]
            """);

    assertThat(manifests.objects())
        .extracting(Unstructured::kind)
        .containsExactly("Pod", "ConfigMap");
  }

  @Test
  void parse_ofAnObjectWithoutAName_saysWhere() {
    assertThatThrownBy(() -> Manifests.parse("---\n---\napiVersion: v1\nkind: Pod\n", "all.yaml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "all.yaml, line 3, column 1 (document 2): the object has no metadata.name: add one");
  }

  @Test
  void parse_ofAWrongType_namesTheLine() {
    assertThatThrownBy(() -> Manifests.parse("kind: Pod\nmetadata:\n  labels: [a]\n", "all.yaml"))
        .hasMessageContaining("all.yaml, line 3, column 11 (document 1): ");
  }

  /** As in kubectl: to apply a file that a failed build has left empty is no success. */
  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing\n---\n", "{apiVersion: v1, kind: List, items: []}"})
  void text_withoutObjects_isAnError(String text, @TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), text);

    assertThatThrownBy(() -> Manifests.parse(text, "all.yaml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("all.yaml has no objects");
    for (Path path : List.of(file, folder)) {
      assertThatThrownBy(() -> Manifests.read(path)).hasMessageContaining(path + " has no objects");
    }
    Files.writeString(folder.resolve("b.yaml"), object("b"));
    assertThat(names(Manifests.read(folder))).containsExactly("b");
  }
}
