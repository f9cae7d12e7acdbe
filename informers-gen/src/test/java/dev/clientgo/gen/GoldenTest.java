package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares what is generated for small definitions with files that a person has read; {@code
 * -Dgolden.update} writes them again.
 */
final class GoldenTest {

  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  @Test
  void generate_crontab_readsAsIfWrittenByHand() throws IOException {
    assertGolden("crontab");
  }

  private static void assertGolden(String name) throws IOException {
    Path folder = GOLDEN.resolve(name);

    Generation generation =
        Generator.builder("com.example.api").input(folder.resolve("crd.yaml")).build().generate();

    assertThat(generation.report().problems()).isEmpty();
    Compiled.of(generation);
    if (Boolean.getBoolean("golden.update")) {
      update(folder.resolve("java"), generation.files());
    }
    assertThat(generation.files()).isEqualTo(read(folder.resolve("java")));
  }

  private static void update(Path folder, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue(), UTF_8);
    }
  }

  private static Map<String, String> read(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.filter(Files::isRegularFile).toList()) {
        files.put(
            folder.relativize(path).toString().replace('\\', '/'), Files.readString(path, UTF_8));
      }
    }
    return files;
  }
}
