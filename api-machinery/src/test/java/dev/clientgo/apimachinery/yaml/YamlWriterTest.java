package dev.clientgo.apimachinery.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class YamlWriterTest {

  private static final String[] WORDS = {
    "a",
    "word",
    " ",
    "  ",
    "\n",
    "\n\n",
    ": ",
    ":",
    " #",
    "#",
    "- ",
    "-",
    "'",
    "\"",
    "yes",
    "n",
    "on",
    "0x1F",
    "0o7",
    "017",
    "1e3",
    "1_000",
    "12:30:45",
    "2020-01-01",
    "~",
    "null",
    "{",
    "[",
    "}",
    "]",
    ",",
    "&",
    "*",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    "?",
    "=",
    "<<",
    "\t",
    "\\",
    "é",
    "中",
    "\uD83D\uDE00",
    "\u00A0",
    "\u0007",
    "---",
    "...",
    ".5",
    "+1",
    "-0",
    ".inf",
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut",
    "http://example.org/a/long/path/without/any/space/in/it/that/goes/on/and/on/beyond/the/width"
  };

  private static final Pattern NAME = Pattern.compile("(?m)^ +name: \"?seed-(\\d+)\"?,?$");

  /** In KYAML, kubectl escapes the escape of white space at the beginning of a line. */
  private static final Pattern MANGLED = Pattern.compile("(?m)^ *\\\\\\\\[_NLPrvf]");

  @Test
  void format_ofAnObject_sortsKeysAndKeepsListsBelowTheirKey() {
    Unstructured object =
        Unstructured.parse(
            """
            {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a"},
             "spec": {"containers": [{"name": "c", "args": ["yes", "two\\nlines\\n"], "env": []}]}}
            """);

    assertThat(object.toYaml())
        .isEqualTo(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: a
            spec:
              containers:
              - args:
                - "yes"
                - |
                  two
                  lines
                env: []
                name: c
            """);
  }

  /** kubectl loses them, since it reads its own JSON as YAML. */
  @Test
  void format_ofSeparators_escapesThem() {
    Map<String, Object> tree = Map.of("a", "\u0085b\u2028c\u2029d\uFEFFe");

    String yaml = YamlWriter.format(tree);

    assertThat(yaml).isEqualTo("a: \"\\Nb\\u2028c\\u2029d\\uFEFFe\"\n");
    assertThat(YamlReader.of("separators").read(yaml).get(0).tree()).isEqualTo(tree);
  }

  @Test
  void format_ofRandomTrees_isReadBack() {
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      Object tree = map(random, 3);

      String yaml = YamlWriter.format(tree);

      assertReadBack(seed, yaml, tree);
      assertReadBack(seed, KyamlWriter.format(tree), tree);
    }
  }

  private static void assertReadBack(int seed, String yaml, Object tree) {
    assertThat(YamlReader.of("seed " + seed).read(yaml))
        .as("seed %d:\n%s", seed, yaml)
        .singleElement()
        .extracting(YamlDocument::tree)
        .isEqualTo(tree);
  }

  /** One call of kubectl prints many objects, so that the comparison takes seconds. */
  @ParameterizedTest
  @ValueSource(strings = {"yaml", "kyaml"})
  @Timeout(300)
  void format_ofRandomObjects_isWhatKubectlPrints(String output, @TempDir Path folder)
      throws Exception {
    boolean kyaml = output.equals("kyaml");
    Path kubectl = kubectl();
    List<Unstructured> objects = new ArrayList<>();
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      Map<String, @Nullable Object> content = new LinkedHashMap<>(map(random, 3));
      content.put("apiVersion", "v1");
      content.put("kind", "ConfigMap");
      content.put("metadata", Map.of("name", "seed-" + seed, "annotations", Map.of("a", "b")));
      objects.add(Unstructured.of(content));
    }
    StringBuilder json = new StringBuilder("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    objects.forEach(
        object ->
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ",\n")
                .append(object.toJson()));
    Path file = Files.writeString(folder.resolve("objects.json"), json.append("]}"));

    String printed =
        run(
            folder,
            kubectl.toString(),
            "annotate",
            "--local",
            "-f",
            file.toString(),
            "-o",
            output,
            "a=b",
            "--overwrite");

    int compared = 0;
    for (String document : printed.split("(?<=^|\n)---\n", -1)) {
      Matcher name = NAME.matcher(document);
      if (name.find() && !document.contains("<<:") && !MANGLED.matcher(document).find()) {
        int seed = Integer.parseInt(name.group(1));
        Unstructured object = objects.get(seed);
        String ours =
            kyaml
                ? KyamlWriter.format(Unstructured.CODEC, object).replaceFirst("---\n", "")
                : object.toYaml();
        assertThat(ours.stripTrailing()).as("seed %d", seed).isEqualTo(document.stripTrailing());
        compared++;
      }
    }
    // kubectl cannot read the JSON that it makes of some, and does not quote <<, which we do.
    assertThat(compared).isGreaterThan(objects.size() * 3 / 4);
  }

  private static Path kubectl() {
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    assumeTrue(assets != null, "KUBEBUILDER_ASSETS is not set");
    Path kubectl = Path.of(String.valueOf(assets), "kubectl");
    assumeTrue(Files.isExecutable(kubectl), "there is no kubectl");
    return kubectl;
  }

  private static String run(Path folder, String... command)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(out);
  }

  private static Map<String, @Nullable Object> map(Random random, int depth) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    int size = random.nextInt(6);
    for (int i = 0; i < size; i++) {
      map.put(text(random, 2), value(random, depth - 1));
    }
    return map;
  }

  private static @Nullable Object value(Random random, int depth) {
    int kind = random.nextInt(depth > 0 ? 10 : 8);
    return switch (kind) {
      case 0 -> random.nextBoolean();
      case 1 -> (long) random.nextInt(1000) - 500;
      case 2 -> random.nextLong() / 4096;
      case 3 -> (random.nextInt(2_000_000) + 0.5) / Math.pow(10, random.nextInt(12));
      case 8 -> map(random, depth);
      case 9 -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
      default -> text(random, 5);
    };
  }

  private static String text(Random random, int words) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(words) + 1; i > 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)]);
      if (random.nextInt(3) == 0) {
        text.append(random.nextInt(120));
      }
    }
    return text.toString();
  }
}
