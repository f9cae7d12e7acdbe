package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ObjectNameTest {

  /** A key is parsed into a namespace and a name (TestObjectNames). */
  @ParameterizedTest
  @CsvSource({
    "kube-system/coredns, kube-system, coredns, kube-system/coredns",
    "node-1, '', node-1, node-1",
    "/node-1, '', node-1, node-1",
    "ns/, ns, '', ns/",
    "'', '', '', ''"
  })
  void parse_givesNamespaceAndName(String key, String namespace, String name, String asString) {
    ObjectName parsed = ObjectName.parse(key);

    assertThat(parsed).isEqualTo(new ObjectName(namespace, name));
    assertThat(parsed).hasToString(asString);
  }

  @ParameterizedTest
  @CsvSource({"a/b/c", "//", "/a/"})
  void parse_withMoreThanOneSlash_fails(String key) {
    assertThatExceptionOfType(KeyException.class)
        .isThrownBy(() -> ObjectName.parse(key))
        .withMessageContaining("unexpected key \"" + key + "\"");
  }

  @Test
  void of_object_hasNamespaceIfTheObjectHasOne() {
    assertThat(ObjectName.of(ApiObject.of("ns/pod", "1"))).hasToString("ns/pod");
    assertThat(ObjectName.of(ApiObject.of("node", "1"))).hasToString("node");
    assertThat(KeyFunction.<ApiObject>metaNamespace().keyOf(ApiObject.of("ns/pod", "1")))
        .isEqualTo("ns/pod");
  }

  @Test
  void of_objectWithoutName_fails() {
    for (String name : new String[] {null, ""}) {
      ApiObject nameless = new ApiObject(ObjectMeta.builder().namespace("ns").name(name).build());

      assertThatExceptionOfType(KeyException.class)
          .isThrownBy(() -> ObjectName.of(nameless))
          .withMessageContaining("Pod")
          .withMessageContaining("metadata.name");
    }
  }

  /**
   * Any key of a deleted object can be read as a name (TestDeletionHandlingObjectToName, and KeyOf
   * of a DeletedFinalStateUnknown).
   */
  @ParameterizedTest
  @CsvSource({"ns/a/b, ns, a/b", "ns/a, ns, a", "a, '', a"})
  void deletedObject_keyIsReadAsNameWhateverItIs(String key, String namespace, String name) {
    DeletedObject<ApiObject> deleted = DeletedObject.ofUnknownFinalState(key, null);

    assertThat(deleted.objectName()).isEqualTo(new ObjectName(namespace, name));
    assertThat(deleted.finalStateUnknown()).isTrue();
  }
}
