package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the reader and the writer with each other and with Jackson, and checks their errors. */
final class JsonFuzzTest {

  private static final int ROUNDS = 500;

  private static final JsonMapper JACKSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNameLength(1 << 20).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Stands for a string that has one, which Jackson takes in a value but not in a name. */
  private static final String LONELY_SURROGATE = "a string with half a character";

  private final long seed = Long.getLong("fuzz.seed", 20261123);
  private final Random random = new Random(seed);
  private final RandomJson json = new RandomJson(random);

  @Test
  void tree_writtenAndRead_isEqual() {
    for (int round = 0; round < ROUNDS; round++) {
      Object tree = json.tree(6);

      byte[] bytes = written(tree);

      assertThat(read(bytes)).as("seed %s, round %s", seed, round).isEqualTo(tree);
      assertThat(written(read(bytes))).as("seed %s, round %s", seed, round).isEqualTo(bytes);
    }
  }

  @Test
  void text_readWholeOrInPieces_isWhatJacksonReads() {
    for (int round = 0; round < ROUNDS; round++) {
      Object tree = json.tree(6);
      byte[] bytes = json.text(tree).getBytes(UTF_8);

      Object jackson = fromJackson(JACKSON.readTree(bytes));

      String run = "seed " + seed + ", round " + round;
      assertThat(comparable(read(bytes))).as(run).isEqualTo(jackson);
      assertThat(read(bytes)).as(run).isEqualTo(tree);
      assertThat(inPieces(bytes).nextTree()).as(run).isEqualTo(tree);
      assertThat(inPieces(bytes).nextRaw().reader().nextTree()).as(run).isEqualTo(tree);
      JsonReader skipping = inPieces(bytes);
      skipping.skip();
      assertThat(skipping.peek()).as(run).isEqualTo(JsonReader.Token.END_OF_STREAM);
    }
  }

  @Test
  void mutatedText_isReadOrRefused_asJacksonDoes() {
    int accepted = 0;
    for (int round = 0; round < ROUNDS * 10; round++) {
      byte[] bytes = json.text(json.map(3)).getBytes(UTF_8);
      if (bytes.length > 2_000) {
        continue;
      }
      for (int i = 1 + random.nextInt(2); i > 0; i--) {
        bytes = mutated(bytes);
      }
      String run = "seed " + seed + ", round " + round + ": " + new String(bytes, UTF_8);

      Object expected = jacksonOrNull(bytes);

      accepted += expected == null ? 0 : 1;
      for (Function<JsonReader, Object> read : WAYS) {
        Object actual = treeOrNull(JsonReader.of(bytes), read);
        Object piecewise = treeOrNull(inPieces(bytes), read);
        assertThat(piecewise).as(run).isEqualTo(actual);
        if (expected != null || !String.valueOf(actual).contains(LONELY_SURROGATE)) {
          assertThat(actual).as(run).isEqualTo(expected);
        }
      }
    }
    // Else the test would say little.
    assertThat(accepted).isBetween(ROUNDS, ROUNDS * 9);
  }

  private static final List<Function<JsonReader, Object>> WAYS =
      List.of(
          JsonReader::nextTree,
          in -> in.nextRaw().reader().nextTree(),
          in -> {
            // The first pass skips the value, the second reads it.
            in.peek();
            return JsonReader.of(in.nextRaw().toByteArray()).nextTree();
          });

  @Test
  void garbage_readInAnyWay_throwsOnlyWhatIsDocumented() {
    String alphabet = "{}[]\",:truefalsn0123456789.eE+-\\u \n\u00e9\u0000x";
    for (int round = 0; round < ROUNDS * 10; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(60); i > 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      byte[] bytes = text.toString().getBytes(UTF_8);
      if (random.nextBoolean()) {
        random.nextBytes(bytes);
      }
      call(bytes, round);
    }
  }

  @Test
  void goodText_readInAnyWay_throwsOnlyWhatIsDocumented() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = json.text(json.map(4)).getBytes(UTF_8);
      call(bytes, round);
    }
  }

  // ------------------------------------------------------------------------------------- Helpers

  private byte[] mutated(byte[] bytes) {
    int place = random.nextInt(bytes.length);
    ByteArrayOutputStream mutated = new ByteArrayOutputStream();
    mutated.write(bytes, 0, place);
    switch (random.nextInt(4)) {
      case 0 -> mutated.write(bytes, place + 1, bytes.length - place - 1); // one less
      case 1 -> { // one other
        mutated.write(" \n{}[],:\"\\0123456789.eE+-tfnu/".charAt(random.nextInt(30)));
        mutated.write(bytes, place + 1, bytes.length - place - 1);
      }
      case 2 -> { // one more
        mutated.write(" \n{}[],:\"\\0123456789.eE+-tfnu/".charAt(random.nextInt(30)));
        mutated.write(bytes, place, bytes.length - place);
      }
      default -> { // a bit other
        mutated.write(bytes[place] ^ (1 << random.nextInt(8)));
        mutated.write(bytes, place + 1, bytes.length - place - 1);
      }
    }
    return mutated.toByteArray();
  }

  private void call(byte[] bytes, int round) {
    JsonReader in = random.nextBoolean() ? JsonReader.of(bytes) : inPieces(bytes);
    RandomCalls.to(in, random, "seed " + seed + ", round " + round);
  }

  private JsonReader inPieces(byte[] bytes) {
    return JsonReader.of(PieceStream.atRandom(bytes, random), DecodeContext.create());
  }

  private static @Nullable Object read(byte[] bytes) {
    return JsonReader.of(bytes).nextTree();
  }

  private static byte[] written(@Nullable Object tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter out = JsonWriter.to(bytes);
    out.tree(tree);
    out.flush();
    return bytes.toByteArray();
  }

  /** Returns the result of Jackson; null if it throws, or if the bytes are not UTF-8. */
  private static @Nullable Object jacksonOrNull(byte[] bytes) {
    try {
      // Jackson is lenient with forms of four bytes that are too long or too large.
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return fromJackson(JACKSON.readTree(bytes));
    } catch (JacksonException | NumberFormatException | CharacterCodingException e) {
      return null;
    }
  }

  private static @Nullable Object treeOrNull(JsonReader in, Function<JsonReader, Object> read) {
    try {
      Object tree = read.apply(in);
      return in.peek() == JsonReader.Token.END_OF_STREAM ? comparable(tree) : null;
    } catch (CodecException e) {
      return null;
    }
  }

  /** Returns Jackson's tree as ours, with all numbers as BigDecimals without trailing zeros. */
  private static @Nullable Object fromJackson(JsonNode node) {
    if (node.isObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      node.properties().forEach(p -> map.put(p.getKey(), fromJackson(p.getValue())));
      return map;
    } else if (node.isArray()) {
      List<@Nullable Object> list = new ArrayList<>();
      node.forEach(element -> list.add(fromJackson(element)));
      return list;
    } else if (node.isNumber()) {
      return node.decimalValue().stripTrailingZeros();
    } else if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isNull() ? null : comparable(node.stringValue());
  }

  private static @Nullable Object comparable(@Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((name, value) -> copy.put((String) comparable(name), comparable(value)));
      return copy;
    } else if (tree instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(comparable(element)));
      return copy;
    } else if (tree instanceof String text) {
      return UTF_8.newEncoder().canEncode(text) ? text : LONELY_SURROGATE;
    } else if (tree instanceof Number) {
      return new BigDecimal(tree.toString()).stripTrailingZeros();
    }
    return tree;
  }
}
