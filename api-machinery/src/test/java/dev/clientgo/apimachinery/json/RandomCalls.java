package dev.clientgo.apimachinery.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Calls of the methods of a reader in any order, sensible or not. */
final class RandomCalls {

  private RandomCalls() {}

  /**
   * Calls methods of a reader.
   *
   * @param run names the seed, for the error
   */
  static void to(JsonReader in, Random random, String run) {
    FieldNames fields = FieldNames.of("a", "b", new RandomJson(random).string());
    List<String> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int call = random.nextInt(22);
      calls.add(String.valueOf(call));
      long before = in.offset();
      try {
        switch (call) {
          case 0 -> in.peek();
          case 1 -> in.beginObject();
          case 2 -> in.beginArray();
          case 3, 4, 5 -> in.nextField(fields);
          case 6 -> in.nextName();
          case 7 -> in.nextElement();
          case 8 -> in.nextString();
          case 9 -> in.nextInt();
          case 10 -> in.nextLong();
          case 11 -> in.nextDouble();
          case 12 -> in.nextNumber();
          case 13 -> in.nextBoolean();
          case 14 -> in.nextNull();
          case 15 -> in.nextRaw();
          case 16 -> in.skip();
          case 17 -> in.nextTree();
          case 18 -> in.nextStringMap();
          case 19 -> in.nextObject(JsonCodecs.TREE);
          case 20 -> in.nextValue(RawJson.CODEC);
          default -> in.leave(random.nextInt(3));
        }
      } catch (CodecException | IllegalStateException e) {
        // Both are documented: for a bad stream, and for a call in the wrong place.
      } catch (RuntimeException e) {
        throw new AssertionError(run + ", calls " + calls, e);
      }
      in.path();
      assertThat(in.offset()).isGreaterThanOrEqualTo(before);
      assertThat(in.depth()).isNotNegative();
    }
  }
}
