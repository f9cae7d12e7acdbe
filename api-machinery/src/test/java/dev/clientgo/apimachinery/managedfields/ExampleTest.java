package dev.clientgo.apimachinery.managedfields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_extract_changesWhatOneHasApplied() {
    Unstructured live =
        ManagedFieldsTest.object(
            "{\"replicas\":1,\"paused\":true}",
            ManagedFieldsTest.applied("scaler", "{\"f:spec\":{\"f:replicas\":{}}}", null));

    Unstructured mine = ManagedFields.extract(Unstructured.CODEC, live, "scaler");
    Unstructured next = mine.with(5, "spec", "replicas");
    apply(next, ApplyOptions.of("scaler"));
  }

  private static void apply(Unstructured configuration, ApplyOptions options) {
    assertThat(configuration.nestedLong("spec", "replicas")).contains(5L);
    assertThat(configuration.nested("spec", "paused")).isEmpty();
    assertThat(options.fieldManager()).isEqualTo("scaler");
  }
}
