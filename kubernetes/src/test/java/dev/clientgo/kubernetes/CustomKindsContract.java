package dev.clientgo.kubernetes;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
    Set<String> defined = new TreeSet<>();
    try (InputStream yaml = Files.newInputStream(Path.of("src/test/crds/widget.yaml"))) {
      for (Object each : new Load(LoadSettings.builder().build()).loadAllFromInputStream(yaml)) {
        byte[] json = JsonMapper.shared().writeValueAsBytes(each);
        CustomResourceDefinition definition =
            CustomResourceDefinition.CODEC.read(JsonReader.of(json));
        definitions.create(definition);
        defined.add(definition.spec().names().kind());
      }
    }
    Settling.look(
        () -> {
          Set<String> served = served();
          if (!served.equals(defined)) {
            throw new Settling.Unsettled("of " + defined + " only " + served + " are served");
          }
          return served;
        });
  }

  /** Discovery knows a kind when it is served, which is after its definition is established. */
  private Set<String> served() throws InterruptedException {
    try {
      return ServedKind.discover(client(), this::isGenerated).stream()
          .map(ServedKind::kind)
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (ApiStatusException e) {
      if (e.isNotFound() || e.isServiceUnavailable()) {
        return Set.of(); // The group is known before its versions are.
      }
      throw e;
    }
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
  boolean isGenerated(String group) {
    return group.equals("custom.example.com");
  }
}
