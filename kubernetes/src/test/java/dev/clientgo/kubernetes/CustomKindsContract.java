package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/** The kinds of {@code src/test/crds}, of which the build generates types as a user's would. */
abstract class CustomKindsContract extends ServedKindsContract {

  @BeforeEach
  void defineKinds() throws IOException, InterruptedException {
    ResourceClient<CustomResourceDefinition> definitions =
        Clientset.of(client()).apiextensions().v1().customResourceDefinitions();
    try (InputStream yaml = Files.newInputStream(Path.of("src/test/crds/widget.yaml"))) {
      for (Object each : new Load(LoadSettings.builder().build()).loadAllFromInputStream(yaml)) {
        byte[] json = JsonMapper.shared().writeValueAsBytes(each);
        define(definitions, CustomResourceDefinition.CODEC.read(JsonReader.of(json)));
      }
    }
  }

  private static void define(
      ResourceClient<CustomResourceDefinition> definitions, CustomResourceDefinition definition)
      throws InterruptedException {
    ListOptions one =
        ListOptions.builder()
            .fieldSelector("metadata.name=" + definition.metadata().name())
            .timeout(Duration.ofSeconds(30))
            .build();
    definitions.create(definition);
    try (Watch<CustomResourceDefinition> watch = definitions.watch(one)) {
      while (!isEstablished(definitions.get(definition.metadata().name()))) {
        assertThat(watch.next()).isPresent();
      }
    }
  }

  private static boolean isEstablished(CustomResourceDefinition definition) {
    return definition.status() != null
        && definition.status().conditions() != null
        && definition.status().conditions().stream()
            .anyMatch(c -> c.type().equals("Established") && c.status().equals("True"));
  }

  @Override
  Object clientset() {
    return dev.clientgo.kubernetes.custom.Clientset.of(client());
  }

  @Override
  Object typed(SharedInformerFactory factory) {
    return dev.clientgo.kubernetes.custom.InformerFactory.of(factory);
  }

  @Override
  boolean isGenerated(ServedKind kind) {
    return kind.resource().group().equals("custom.example.com");
  }
}
