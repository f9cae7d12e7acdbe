package dev.clientgo.apimachinery.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardSelectorTest {

  private static final String LOWER =
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
  private static final String UPPER =
      "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

  private final PartialObjectMetadata object =
      new PartialObjectMetadata(
          "v1", "Pod", ObjectMeta.of(m -> m.uid("test-uid-123").namespace("test-namespace")));

  /** Upstream: TestSelectorMatches of sharding. */
  @Test
  void matches_isByTheHashOfTheField() {
    long hash = ShardField.hash("test-uid-123");

    assertThat(ShardSelector.EVERYTHING.matches(object)).isTrue();
    assertThat(uid(hash, 0).matches(object)).isTrue();
    assertThat(uid(hash, hash + 1).matches(object)).isTrue();
    assertThat(uid(0, hash).matches(object)).isFalse();
    assertThat(uid(-1, 0).matches(object)).isFalse();
    assertThat(uid(0, 1).matches(object)).isFalse();
  }

  @Test
  void matches_ofSeveralRanges_isAnyOfThem() {
    long hash = ShardField.hash("test-namespace");
    ShardRange below = new ShardRange(0, hash);
    ShardRange above = new ShardRange(hash + 1, 0);
    ShardRange exact = new ShardRange(hash, hash + 1);

    assertThat(ShardSelector.of(ShardField.NAMESPACE, below, above).matches(object)).isFalse();
    assertThat(ShardSelector.of(ShardField.NAMESPACE, below, exact).matches(object)).isTrue();
  }

  @Test
  void matches_ofAllPartsOfASplit_isTrueForOne() {
    List<ShardSelector> parts =
        ShardRange.split(7).stream().map(range -> ShardSelector.of(ShardField.UID, range)).toList();
    for (int i = 0; i < 1000; i++) {
      String uid = UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)}).toString();
      PartialObjectMetadata each =
          new PartialObjectMetadata("v1", "Pod", ObjectMeta.of(m -> m.uid(uid)));

      assertThat(parts.stream().filter(part -> part.matches(each))).as(uid).hasSize(1);
    }
  }

  /** Unlike upstream's TestSelectorEmpty of sharding, where this selects everything. */
  @Test
  void selector_withoutRanges_selectsNothing() {
    ShardSelector nothing = ShardSelector.of(ShardField.UID);

    assertThat(nothing.isNothing()).isTrue();
    assertThat(nothing.isEverything()).isFalse();
    assertThat(nothing.matches(object)).isFalse();
    assertThat(nothing.share()).isZero();
    assertThat(ShardSelector.parse(nothing.toString()).matches(object)).isFalse();
  }

  @Test
  void selector_ofAllRanges_isEverything() {
    assertThat(new ShardSelector(ShardField.UID, ShardRange.split(5)))
        .isEqualTo(ShardSelector.EVERYTHING);
    assertThat(ShardSelector.of(ShardField.NAMESPACE, ShardRange.ALL).isEverything()).isTrue();
    assertThat(uid(0, 1).isEverything()).isFalse();
  }

  @Test
  void ranges_areMerged() {
    assertThat(
            ShardSelector.of(
                    ShardField.UID,
                    new ShardRange(20, 30),
                    new ShardRange(0, 10),
                    new ShardRange(10, 15))
                .ranges())
        .containsExactly(new ShardRange(0, 15), new ShardRange(20, 30));
  }

  /** Upstream: TestParseRoundTrip of sharding. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        LOWER,
        UPPER,
        "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')",
        "shardRange(object.metadata.namespace, '0x00000000000000aa', '0x00000000000000ff')",
        "shardRange(object.metadata.uid, '0x0000000000000000', '0x4000000000000000') || "
            + "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')"
      })
  void parse_ofItsOwnText_isTheSame(String text) {
    assertThat(ShardSelector.parse(text)).hasToString(text);
  }

  /** Upstream: TestParse of sharding. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000')",
        "  shardRange ( object.metadata.uid ,  '0x0000000000000000' ,  '0x8000000000000000' )  ",
        "shardRange(object.metadata.uid, \"0x0000000000000000\", \"0x8000000000000000\")",
        "((shardRange(object.metadata.uid, '0x0000000000000000', '0x4000000000000000'))"
            + "||shardRange(object.metadata.uid, '0x4000000000000000', '0x8000000000000000'))"
      })
  void parse_ofOtherSpacesAndParentheses_isTheSame(String text) {
    assertThat(ShardSelector.parse(text)).hasToString(LOWER);
  }

  /** Upstream: TestParse of sharding. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'' ; empty shard selector is not allowed",
        "'  ' ; empty shard selector is not allowed",
        "shardRange(object.metadata.name, '0x0', '0x8') ; unsupported field path"
            + " \"object.metadata.name\"",
        "invalidFunc(object.metadata.uid, '0x0', '0x8') ; expected shardRange( at position 0",
        "shardRange(object.metadata.uid, 0, 8) ; expected a bound in quotes",
        "shardRange(object.metadata.uid, hex(0), '0x8') ; expected a bound in quotes",
        "shardRange(object.metadata.uid, '0x0000000000000000') ; expected ',' at position 52,"
            + " found ')'",
        "shardRange(object.metadata.uid, '0x0 ; expected a bound with a closing quote at position"
            + " 32",
        "object.metadata.uid > '0x0' ; expected shardRange( at position 0",
        "shardRange(object.metadata.uid, '0x0', '0x8000000000000000') ; did you mean"
            + " \"0x0000000000000000\"?",
      })
  void parse_ofAnythingElse_isRefused(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardSelector.parse(text))
        .withMessageContaining("shard selector \"" + text + "\": ")
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        LOWER + " && " + UPPER + " ; expected || or the end at position 76, found '&'",
        LOWER + " || ; expected shardRange(",
        "(" + LOWER + " ; expected ')'",
        LOWER
            + " || shardRange(object.metadata.namespace, '0x8000000000000000',"
            + " '0x10000000000000000') ; all shard ranges must use the same field, but have"
            + " object.metadata.uid and object.metadata.namespace",
      })
  void parse_ofWronglyJoinedRanges_isRefused(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardSelector.parse(text))
        .withMessageContaining(message);
  }

  private static ShardSelector uid(long from, long to) {
    return ShardSelector.of(ShardField.UID, new ShardRange(from, to));
  }
}
