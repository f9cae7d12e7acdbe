package dev.clientgo.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_kindsAndResources() {
    GroupVersionKind kind = GroupVersion.parse("apps/v1").withKind("Deployment");
    GroupVersionResource resource = new GroupVersionResource("apps", "v1", "deployments");

    assertThat(kind.groupVersion()).isEqualTo(resource.groupVersion());
  }
}
