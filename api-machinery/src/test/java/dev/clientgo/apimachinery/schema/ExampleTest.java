package dev.clientgo.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the page of the package shows. */
final class ExampleTest {

  @Test
  void page_kindsAndResources() {
    GroupVersionKind kind = GroupVersion.parse("apps/v1").withKind("Deployment");
    GroupVersionResource resource = new GroupVersionResource("apps", "v1", "deployments");

    assertThat(kind.groupVersion()).isEqualTo(resource.groupVersion());
  }
}
