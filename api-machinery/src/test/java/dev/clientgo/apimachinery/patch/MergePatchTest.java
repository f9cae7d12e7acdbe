package dev.clientgo.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MergePatchTest {

  /** The table of RFC 7386, appendix A. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'b'}|{'a':'c'}|{'a':'c'}",
        "{'a':'b'}|{'b':'c'}|{'a':'b','b':'c'}",
        "{'a':'b'}|{'a':null}|{}",
        "{'a':'b','b':'c'}|{'a':null}|{'b':'c'}",
        "{'a':['b']}|{'a':'c'}|{'a':'c'}",
        "{'a':'c'}|{'a':['b']}|{'a':['b']}",
        "{'a':{'b':'c'}}|{'a':{'b':'d','c':null}}|{'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]}|{'a':[1]}|{'a':[1]}",
        "['a','b']|['c','d']|['c','d']",
        "{'a':'b'}|['c']|['c']",
        "{'a':'foo'}|null|null",
        "{'a':'foo'}|'bar'|'bar'",
        "{'e':null}|{'a':1}|{'e':null,'a':1}",
        "[1,2]|{'a':'b','c':null}|{'a':'b'}",
        "{}|{'a':{'bb':{'ccc':null}}}|{'a':{'bb':{}}}"
      })
  void apply_caseOfTheRfc_givesWhatTheRfcSays(String target, String patch, String expected) {
    assertThat(MergePatch.apply(Json.tree(target), Json.tree(patch)))
        .isEqualTo(Json.tree(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1}|{'a':1}|{}",
        "{'a':1}|{'a':1.0}|{}",
        "{'a':1}|{'a':2}|{'a':2}",
        "{'a':1,'b':2}|{'b':2}|{'a':null}",
        "{}|{'a':{}}|{'a':{}}",
        "{'a':{'b':1}}|{'a':{}}|{'a':{'b':null}}",
        "{'a':{'b':1,'c':2}}|{'a':{'b':1,'c':3}}|{'a':{'c':3}}",
        "{'a':[1,2]}|{'a':[1]}|{'a':[1]}",
        "{'a':'x'}|{'a':{'b':1}}|{'a':{'b':1}}",
        "{'a':1}|{'a':null}|{'a':null}"
      })
  void create_twoDocuments_saysOnlyWhatDiffers(String from, String to, String expected) {
    assertThat(MergePatch.create(Json.map(from), Json.map(to))).isEqualTo(Json.map(expected));
  }

  /**
   * The cases of apimachinery's TestCreateThreeWayJSONMergePatch that need no conflict detection:
   * fields of others stay, fields that the author removed go, changed fields are set.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|{}|{}|{}",
        "{}|{'a':1}|{}|{'a':1}",
        "{}|{'a':1}|{'a':1}|{}",
        "{}|{'a':2}|{'a':1}|{'a':2}",
        "{'a':1}|{}|{'a':1}|{'a':null}",
        "{'a':1}|{'a':1}|{'a':1,'b':2}|{}",
        "{'a':1,'b':1}|{'a':2}|{'a':1,'b':1,'c':1}|{'a':2,'b':null}",
        "{'m':{'a':1,'b':1}}|{'m':{'a':1}}|{'m':{'a':1,'b':1,'c':1}}|{'m':{'b':null}}",
        "{'m':{'a':1}}|{'m':{'b':1}}|{'m':{'a':1,'c':1}}|{'m':{'a':null,'b':1}}",
        "{'l':[1]}|{'l':[1,2]}|{'l':[3]}|{'l':[1,2]}"
      })
  void createThreeWay_likeUpstream(
      String original, String modified, String current, String expected) {
    assertThat(MergePatch.createThreeWay(Json.map(original), Json.map(modified), Json.map(current)))
        .isEqualTo(Json.map(expected));
  }

  @Test
  void createThenApply_randomDocuments_isTheIdentity() {
    long seed = 20260101;
    Random random = new Random(seed);
    for (int i = 0; i < 5000; i++) {
      Map<String, Object> from = object(random, 3);
      Map<String, Object> to = object(random, 3);

      assertThat(Trees.equal(MergePatch.apply(from, MergePatch.create(from, to)), to))
          .as("seed %d, case %d: %s to %s", seed, i, from, to)
          .isTrue();
    }
  }

  private static Map<String, Object> object(Random random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "c", "d")) {
      if (random.nextInt(3) > 0) {
        map.put(name, value(random, depth - 1));
      }
    }
    return map;
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> random.nextInt(3);
      case 1 -> random.nextBoolean();
      case 2 -> "x" + random.nextInt(3);
      case 3 -> new ArrayList<>(List.of(random.nextInt(2), Map.of("k", random.nextInt(2))));
      default -> object(random, depth);
    };
  }
}
