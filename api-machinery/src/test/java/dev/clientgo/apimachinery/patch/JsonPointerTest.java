package dev.clientgo.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonPointerTest {

  /** The document of RFC 6901, section 5. */
  private static final Object DOCUMENT =
      Json.tree(
          "{'foo':['bar','baz'],'':0,'a/b':1,'c%d':2,'e^f':3,'g|h':4,'i\\\\j':5,'k\\\"l':6,' ':7,'m~n':8}");

  @Test
  void get_examplesOfTheRfc_findWhatTheRfcSays() {
    Map<String, Object> examples =
        Map.of(
            "/foo/0", "bar", "/", 0, "/a~1b", 1, "/c%d", 2, "/e^f", 3, "/g|h", 4, "/i\\j", 5,
            "/k\"l", 6, "/ ", 7, "/m~0n", 8);

    examples.forEach(
        (pointer, value) ->
            assertThat(JsonPointer.parse(pointer).get(DOCUMENT)).as(pointer).contains(value));
  }

  @Test
  void get_theRoot_isTheDocument() {
    assertThat(JsonPointer.parse("").get(DOCUMENT)).contains(DOCUMENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/foo/00", "/foo/2", "/foo/-", "/foo/-1", "/foo/+1", "/foo/x", "/foo/0/x", "/no"})
  void get_nothingThere_isEmpty(String pointer) {
    assertThat(JsonPointer.parse(pointer).get(DOCUMENT)).isEmpty();
    assertThat(JsonPointer.parse(pointer).isIn(DOCUMENT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/a", "/a/b", "/a~1b/~0~01", "//", "/a/"})
  void toString_ofParsed_isTheText(String text) {
    assertThat(JsonPointer.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b", "/a~", "/a~2", "/~/b"})
  void parse_notAPointer_saysWhy(String text) {
    assertThatThrownBy(() -> JsonPointer.parse(text))
        .isInstanceOf(PatchException.class)
        .hasMessageContaining("\"" + text + "\"");
  }

  @Test
  void isIn_explicitNull_isTrue() {
    assertThat(JsonPointer.of("a").isIn(Json.tree("{'a':null}"))).isTrue();
    assertThat(JsonPointer.of("b").isIn(Json.tree("{'a':null}"))).isFalse();
  }
}
