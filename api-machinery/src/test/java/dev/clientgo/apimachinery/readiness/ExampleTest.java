package dev.clientgo.apimachinery.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_logsWhyAnObjectIsNotReady() {
    Logger logger = System.getLogger(ExampleTest.class.getName());
    Unstructured deployment =
        Unstructured.of(
            Map.of(
                "apiVersion",
                "apps/v1",
                "kind",
                "Deployment",
                "metadata",
                Map.of("name", "web", "generation", 2),
                "status",
                Map.of("observedGeneration", 1)));
    Readiness readiness = Readiness.of(deployment);
    if (!readiness.isReady()) {
      logger.log(Level.INFO, readiness.message());
    }

    assertThat(readiness.isReady()).isFalse();
    assertThat(readiness.message()).contains("generation");
  }
}
