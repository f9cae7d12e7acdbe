package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_metadata_isEditedAsAValue() {
    ObjectMeta before = ObjectMeta.of(m -> m.name("web").editLabels(l -> l.put("app", "shop")));
    ObjectMeta after = before.with(m -> m.editLabels(l -> l.put("tier", "front")));
    after.label("app"); // shop

    assertThat(before.label("tier")).isEmpty();
    assertThat(after.label("app")).contains("shop");
  }

  @Test
  void page_objectsOfAnyType_haveOwnersFinalizersAndConditions() {
    Unstructured job =
        Unstructured.parse(
            "{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":"
                + "{\"name\":\"j\",\"namespace\":\"n\",\"uid\":\"1\"}}");
    Unstructured template =
        Unstructured.parse(
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"namespace\":\"n\"}}");

    Unstructured pod = OwnerReferences.setController(template, job);
    Unstructured held = Finalizers.add(pod, "example.com/clean-up");
    List<Condition> conditions =
        Conditions.set(
            held.nested(Conditions.CODEC, "status", "conditions").orElse(List.of()),
            Condition.of(c -> c.type("Ready").status(Conditions.TRUE).reason("Started")),
            Clock.system());
    Unstructured ready = held.withNested(Conditions.CODEC, conditions, "status", "conditions");

    assertThat(OwnerReferences.isControlledBy(ready, job)).isTrue();
    assertThat(Finalizers.contains(ready, "example.com/clean-up")).isTrue();
    assertThat(Conditions.isTrue(conditions, "Ready")).isTrue();
  }
}
