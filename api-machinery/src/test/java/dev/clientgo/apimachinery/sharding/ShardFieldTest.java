package dev.clientgo.apimachinery.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShardFieldTest {

  /** Upstream: TestHashField of sharding; the numbers are those of FNV-1a and of Go's hash/fnv. */
  @ParameterizedTest
  @CsvSource({
    "'', cbf29ce484222325",
    "a, af63dc4c8601ec8c",
    "ab, 089c4407b545986a",
    "abc, e71fa2190541574b",
    "foobar, 85944171f73967e8"
  })
  void hash_isFnv1a(String value, String hash) {
    assertThat(ShardField.hash(value)).isEqualTo(Long.parseUnsignedLong(hash, 16));
  }

  @Test
  void hash_ofOtherCharacters_isOfTheirUtf8Form() {
    long hash = 0xcbf29ce484222325L;
    for (int next : new int[] {'a', 0xc3, 0xa4, 'b'}) {
      hash = (hash ^ next) * 0x100000001b3L;
    }

    assertThat(ShardField.hash("aäb")).isEqualTo(hash);
  }

  @Test
  void hash_ofAnObject_isOfTheField() {
    PartialObjectMetadata object =
        new PartialObjectMetadata("v1", "Pod", ObjectMeta.of(m -> m.uid("a").namespace("abc")));

    assertThat(ShardField.UID.hash(object)).isEqualTo(ShardField.hash("a"));
    assertThat(ShardField.NAMESPACE.hash(object)).isEqualTo(ShardField.hash("abc"));
  }

  @Test
  void hash_ofAFieldThatIsNotSet_isThatOfAnEmptyText() {
    PartialObjectMetadata node =
        new PartialObjectMetadata("v1", "Node", ObjectMeta.of(m -> m.name("n")));

    assertThat(ShardField.NAMESPACE.hash(node)).isEqualTo(ShardField.hash(""));
    assertThat(ShardField.UID.hash(node)).isEqualTo(ShardField.hash(""));
  }

  @Test
  void ofPath_ofAnotherField_isRefused() {
    assertThat(ShardField.ofPath("object.metadata.uid")).isEqualTo(ShardField.UID);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardField.ofPath("metadata.name"))
        .withMessage(
            "unsupported field path \"metadata.name\"; supported: object.metadata.uid,"
                + " object.metadata.namespace");
  }
}
