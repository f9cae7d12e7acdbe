package dev.clientgo.apimachinery.restmapper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_mapper_knowsTheTable() {
    GroupVersionKind ingress = new GroupVersionKind("networking.k8s.io", "v1", "Ingress");

    DefaultRESTMapper mapper =
        DefaultRESTMapper.builder(new GroupVersion("networking.k8s.io", "v1"))
            .add(ingress, RESTMapping.Scope.NAMESPACE)
            .build();
    GroupVersionResource found = mapper.resourceFor(new GroupVersionResource("", "", "ingress"));
    RESTMapping mapping = mapper.restMapping(ingress.groupKind()); // where to find ingresses

    assertThat(found.resource()).isEqualTo("ingresses");
    assertThat(mapping.resource()).isEqualTo(found);
  }
}
