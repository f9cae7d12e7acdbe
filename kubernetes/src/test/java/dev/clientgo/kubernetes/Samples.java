package dev.clientgo.kubernetes;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/** The objects of {@code samples.yaml}: one of each kind. */
final class Samples {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final Map<String, byte[]> byKind = new HashMap<>();

  private Samples() {}

  static Samples load() {
    Samples samples = new Samples();
    try (InputStream yaml = requireNonNull(Samples.class.getResourceAsStream("/samples.yaml"))) {
      for (Object each : new Load(LoadSettings.builder().build()).loadAllFromInputStream(yaml)) {
        Map<?, ?> object = (Map<?, ?>) each;
        samples.byKind.put(
            object.get("apiVersion") + "/" + object.get("kind"), MAPPER.writeValueAsBytes(object));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return samples;
  }

  /** Returns the sample of a type; the test fails if there is none. */
  <T extends KubernetesObject> T of(ResourceType<T> type) {
    String key = type.kind().groupVersion() + "/" + type.kind().kind();
    byte[] json = byKind.get(key);
    if (json == null) {
      throw new AssertionError("samples.yaml has no " + key);
    }
    return type.codec().read(JsonReader.of(json));
  }
}
