package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.cbor.CBORMapper;

/** Compares CBOR with the JSON of the same trees and with Jackson, and checks its errors. */
final class CborFuzzTest {

  private static final int ROUNDS = 500;
  private static final ObjectMapper JACKSON = new CBORMapper();

  private final long seed = Long.getLong("fuzz.seed", 20261123);
  private final Random random = new Random(seed);
  private final RandomJson json = new RandomJson(random);

  @Test
  void tree_writtenInCborAndRead_isThatOfTheJson() {
    for (int round = 0; round < ROUNDS; round++) {
      Object tree = nearest(json.map(5));
      String run = "seed " + seed + ", round " + round;

      byte[] cbor = JsonWriter.toCbor(JsonCodecs.TREE, tree);

      assertThat(read(cbor)).as(run).isEqualTo(tree);
      assertThat(inPieces(cbor).nextTree()).as(run).isEqualTo(tree);
      assertThat(inPieces(cbor).nextRaw().reader().nextTree()).as(run).isEqualTo(tree);
      RawJson text = RawJson.of(JsonCodecs.TREE, tree);
      assertThat(read(JsonWriter.toCbor(RawJson.CODEC, text))).as(run).isEqualTo(tree);
    }
  }

  @Test
  void tree_inAnyForm_isReadAndSkipped() {
    for (int round = 0; round < ROUNDS; round++) {
      Object tree = nearest(json.tree(5));
      String run = "seed " + seed + ", round " + round;

      byte[] cbor = CborBytes.anyForm(tree, random);

      assertThat(read(cbor)).as(run).isEqualTo(tree);
      assertThat(inPieces(cbor).nextTree()).as(run).isEqualTo(tree);
      assertThat(inPieces(cbor).nextRaw().reader().nextTree()).as(run).isEqualTo(tree);
      JsonReader skipping = inPieces(cbor);
      skipping.skip();
      assertThat(skipping.peek()).as(run).isEqualTo(JsonReader.Token.END_OF_STREAM);
    }
  }

  @Test
  void tree_ofJackson_isRead() {
    for (int round = 0; round < ROUNDS; round++) {
      Object tree = nearest(json.map(5));

      byte[] cbor = JACKSON.writeValueAsBytes(tree);

      assertThat(read(cbor)).as("seed %s, round %s", seed, round).isEqualTo(tree);
    }
  }

  @Test
  void mutatedBytes_readWholeOrInPieces_areReadAlike() {
    int accepted = 0;
    for (int round = 0; round < ROUNDS * 10; round++) {
      byte[] cbor = CborBytes.anyForm(nearest(json.map(3)), random);
      if (cbor.length > 2_000) {
        continue;
      }
      for (int i = 1 + random.nextInt(2); i > 0; i--) {
        cbor = mutated(cbor);
      }
      String run = "seed " + seed + ", round " + round + ": " + Arrays.toString(cbor);

      Object whole = treeOrError(JsonReader.ofCbor(cbor, DecodeContext.create()));

      accepted += whole instanceof CodecException ? 0 : 1;
      Object pieces = treeOrError(inPieces(cbor));
      assertThat(String.valueOf(pieces)).as(run).isEqualTo(String.valueOf(whole));
      assertThat(rawOrNull(inPieces(cbor)))
          .as(run)
          .isEqualTo(whole instanceof CodecException ? null : whole);
    }
    // Else the test would say little.
    assertThat(accepted).isBetween(ROUNDS / 2, ROUNDS * 9);
  }

  @Test
  void truncatedBytes_areRefused() {
    for (int round = 0; round < ROUNDS / 5; round++) {
      byte[] cbor = CborBytes.anyForm(nearest(json.map(2)), random);
      int length = random.nextInt(cbor.length);

      Object result = treeOrError(inPieces(Arrays.copyOf(cbor, length)));

      assertThat(result).as("seed %s, round %s", seed, round).isInstanceOf(CodecException.class);
    }
  }

  @Test
  void anyBytes_readInAnyWay_throwOnlyWhatIsDocumented() {
    for (int round = 0; round < ROUNDS * 10; round++) {
      byte[] cbor = CborBytes.anyForm(nearest(json.map(3)), random);
      if (random.nextBoolean()) {
        cbor = new byte[random.nextInt(60)];
        random.nextBytes(cbor);
      }
      RandomCalls.to(inPieces(cbor), random, "seed " + seed + ", round " + round);
    }
  }

  // ------------------------------------------------------------------------------------- Helpers

  /** Returns a tree with the numbers that 64 bits can hold, as JSON of them is read. */
  private static @Nullable Object nearest(@Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((name, value) -> copy.put((String) name, nearest(value)));
      return copy;
    } else if (tree instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(each -> copy.add(nearest(each)));
      return copy;
    } else if (tree instanceof BigDecimal || tree instanceof Double) {
      double value = ((Number) tree).doubleValue();
      return value == (long) value && Math.abs(value) < 1L << 53 && !tree.equals(-0.0)
          ? (Number) (long) value
          : (Number) value;
    }
    return tree;
  }

  private byte[] mutated(byte[] bytes) {
    byte[] copy = bytes.clone();
    int place = random.nextInt(copy.length);
    copy[place] =
        random.nextBoolean()
            ? (byte) (copy[place] ^ 1 << random.nextInt(8))
            : (byte) random.nextInt(256);
    return random.nextInt(5) == 0 ? Arrays.copyOf(copy, 1 + random.nextInt(copy.length)) : copy;
  }

  private static @Nullable Object read(byte[] cbor) {
    return JsonReader.ofCbor(cbor, DecodeContext.create()).nextTree();
  }

  private static @Nullable Object treeOrError(JsonReader in) {
    try {
      Object tree = in.nextTree();
      return in.peek() == JsonReader.Token.END_OF_STREAM ? tree : in.mismatch("more");
    } catch (CodecException e) {
      return e;
    }
  }

  private static @Nullable Object rawOrNull(JsonReader in) {
    try {
      RawJson raw = in.nextRaw();
      assertThat(JsonReader.fromBytes(RawJson.CODEC, raw.toString().getBytes(UTF_8)))
          .isEqualTo(raw);
      return in.peek() == JsonReader.Token.END_OF_STREAM ? raw.reader().nextTree() : null;
    } catch (CodecException e) {
      return null;
    }
  }

  private JsonReader inPieces(byte[] bytes) {
    return JsonReader.ofCbor(PieceStream.atRandom(bytes, random), DecodeContext.create());
  }
}
