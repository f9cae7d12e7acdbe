package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.report.Report;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Checks that generated code compiles, and that it loses nothing of an object. */
final class RoundTrips {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private RoundTrips() {}

  /** Compiles what was generated, and reads and writes samples of each kind. */
  static void check(Generation generation, List<Resource> resources) {
    Compiled compiled = Compiled.of(generation);
    Map<String, String> classNames = new HashMap<>();
    for (Report.Generated each : generation.report().generated()) {
      classNames.put(each.apiVersion() + "/" + each.kind(), each.className());
    }
    for (Resource resource : resources) {
      String className = classNames.get(resource.apiVersion() + "/" + resource.kind());
      assertThat(className).as(resource.describe()).isNotNull();
      for (Samples.Style style : Samples.Style.values()) {
        String sample = Samples.of(resource, style);

        String written = compiled.roundTrip(className, sample);

        assertThat(MAPPER.readTree(written))
            .as("%s, %s", className, style)
            .isEqualTo(MAPPER.readTree(sample));
      }
    }
  }
}
