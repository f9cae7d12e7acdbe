package dev.clientgo.apimachinery.json.internal.utf8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.json.RandomJson;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where objects and arrays end. */
final class StructureIndexTest {

  private static final String TEXT = "{\"a\":[1,{}],\"b\\\"}\":{\"c\":\"]{\\\\\"},\"d\":[]} [7]";
  private static final int ALL = 1000;

  private final ByteWindow in = new ByteWindow(TEXT.getBytes(UTF_8));
  private final StructureIndex structure = new StructureIndex(in);

  private int measureAt(String start, int limit) {
    in.position = TEXT.indexOf(start);
    return structure.measure(limit);
  }

  @Test
  void measure_objectOrArray_isItsLength() {
    assertThat(measureAt("{\"a\"", ALL)).isEqualTo(TEXT.length() - 4);
    assertThat(measureAt("[1", ALL)).isEqualTo("[1,{}]".length());
    assertThat(measureAt("{}", ALL)).isEqualTo(2);
    assertThat(measureAt("{\"c\"", ALL)).isEqualTo("{\"c\":\"]{\\\\\"}".length());
    assertThat(measureAt("[]", ALL)).isEqualTo(2);
    assertThat(measureAt("[7]", ALL)).isEqualTo(3);
  }

  @Test
  void measure_longerThanTheLimit_isZeroAndWhatIsInItIsMeasured() {
    assertThat(measureAt("{\"a\"", 20)).isZero();
    assertThat(measureAt("[1", 20)).isEqualTo(6);
    assertThat(measureAt("[1", 5)).isZero();
    assertThat(measureAt("{\"c\"", 20)).isEqualTo(12);
  }

  @Test
  void measure_endOfTheStream_isZero() {
    ByteWindow cut = new ByteWindow("[[1],[2,".getBytes(UTF_8));
    StructureIndex outlineOfCut = new StructureIndex(cut);

    assertThat(outlineOfCut.measure(ALL)).isZero();
    cut.position = 1;
    assertThat(outlineOfCut.measure(ALL)).isEqualTo(3);
    cut.position = 5;
    assertThat(outlineOfCut.measure(ALL)).isZero();
  }

  /** Measures each part of a text that arrives in pieces, and compares with each part alone. */
  @Test
  void measure_partsOfAnyText_isAsIfAskedForEachAlone() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      RandomJson json = new RandomJson(random);
      byte[] text = json.text(json.map(4)).getBytes(UTF_8);
      ByteWindow pieces = new ByteWindow(PieceStream.bytewise(text));
      StructureIndex whole = new StructureIndex(pieces);
      int limit = 1 + random.nextInt(text.length + 10);
      boolean quoted = false;
      for (int i = 0; i < text.length; i++) {
        if (text[i] == '"') {
          quoted = !quoted;
        } else if (quoted) {
          i += text[i] == '\\' ? 1 : 0;
        } else if ((text[i] == '{' || text[i] == '[') && random.nextBoolean()) {
          ByteWindow alone = new ByteWindow(text);
          alone.position = i;
          while (pieces.place(i) >= pieces.end) {
            pieces.more();
          }
          pieces.position = pieces.place(i);
          assertThat(whole.measure(limit))
              .as("seed %d, round %d, at %d", seed, round, i)
              .isEqualTo(new StructureIndex(alone).measure(limit));
        }
      }
    }
  }
}
