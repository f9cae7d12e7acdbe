package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.internal.intern.Pool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DecodeContextTest {

  private record Point(int x, int y) {}

  private record OtherPoint(int x, int y) {}

  private final DecodeContext context = DecodeContext.create();

  @Test
  void share_equalStrings_givesTheFirst() {
    String first = new String("kubernetes.io/os");

    assertThat(context.share(first)).isSameAs(first);
    assertThat(context.share(new String("kubernetes.io/os"))).isSameAs(first);
    assertThat(context.<Object>share((Object) new String("kubernetes.io/os"))).isSameAs(first);
  }

  @Test
  void string_eachWayToAskForIt_findsTheSame() {
    for (String text : List.of("", "a", "Aa", "BB", "worker-17", "ü☸", "x".repeat(64))) {
      String first = context.share(new String(text));

      assertThat(context.strings().string((text + "zz").toCharArray(), text.length()))
          .isSameAs(first);
      byte[] bytes = ("z" + text + "z").getBytes(UTF_8);
      if (bytes.length == text.length() + 2) {
        assertThat(context.strings().string(bytes, 1, text.length(), text.hashCode()))
            .isSameAs(first);
      }
    }
  }

  @Test
  void share_equalValues_givesTheFirstOfTheSameClass() {
    Point first = new Point(1, 2);

    assertThat(context.share(first)).isSameAs(first);
    assertThat(context.share(new Point(1, 2))).isSameAs(first);
    assertThat(context.share(new OtherPoint(1, 2))).isEqualTo(new OtherPoint(1, 2));
    List<Integer> list = new ArrayList<>(List.of(1));
    context.share(List.of(1));
    assertThat(context.share(list)).isSameAs(list);
  }

  @Test
  void share_largeStrings_forgetsThem() {
    String text = "x".repeat(65);
    context.share(text);

    String sameText = new String(text);
    assertThat(context.share(sameText)).isSameAs(sameText);
    assertThat(context.strings().string(text.toCharArray(), text.length())).isEqualTo(text);
    assertThat(context.strings().string(text.getBytes(UTF_8), 0, 65, text.hashCode()))
        .isEqualTo(text);
  }

  @Test
  void ofObject_sharesNothing_evenAfterDeletions() {
    DecodeContext single = DecodeContext.ofObject();
    byte[] json = "[\"web\",\"web\"]".getBytes(UTF_8);
    for (int i = 0; i <= DecodeContext.MIN_DELETIONS; i++) {
      List<String> read =
          single.readDeleted(() -> JsonReader.of(json, single).nextList(JsonCodecs.STRING));

      assertThat(read).containsExactly("web", "web");
      assertThat(read.get(1)).isNotSameAs(read.get(0));
    }
    Point point = new Point(1, 2);
    Point equal = new Point(1, 2);
    assertThat(single.share(point)).isSameAs(point);
    assertThat(single.share(equal)).isSameAs(equal);
  }

  @Test
  void pool_manyDifferentValues_growsToItsBoundAndNoFurther() {
    Pool pool = new Pool(1024);
    int first = pool.capacity();

    for (int i = 0; i < 100_000; i++) {
      assertThat(pool.share("string-" + i)).isEqualTo("string-" + i);
    }

    assertThat(first).isLessThan(1024);
    assertThat(pool.capacity()).isEqualTo(1024);
  }

  @Test
  void pool_fewValues_staysSmall() {
    Pool pool = new Pool(1024);

    for (int i = 0; i < 100_000; i++) {
      pool.share("string-" + i % 50);
    }

    assertThat(pool.capacity()).isLessThanOrEqualTo(128);
  }

  @Test
  void pool_manyValuesAskedForAgain_growsUntilAllFit() {
    Pool pool = new Pool(1 << 16);
    int found = 0;

    for (int round = 0; round < 8; round++) {
      found = 0;
      for (int i = 0; i < 10_000; i++) {
        String text = "string-" + i;
        found += pool.share(text) == text ? 0 : 1;
      }
    }

    assertThat(found).isGreaterThan(9_000);
    assertThat(pool.capacity()).isLessThan(1 << 16);
  }

  /** As the name of a volume, which is in two places of one pod and in no other. */
  @Test
  void pool_uniqueAskedForTwiceAtOnce_doesNotDriveOutTheRepeated() {
    Pool pool = new Pool(1024);
    int kept = 0;

    for (int round = 0; round < 1_000; round++) {
      for (int i = 0; i < 10; i++) {
        String repeated = "repeated-" + (round * 10 + i) % 300;
        kept += pool.share(repeated) == repeated ? 0 : 1;
        String unique = "unique-" + round + "-" + i;
        assertThat(pool.share(unique)).isSameAs(pool.share(new String(unique)));
      }
    }

    assertThat(kept).isGreaterThan(9_000);
  }

  @Test
  void pool_repeatedAmongManyUnique_keepsTheRepeated() {
    Pool pool = new Pool(1024);
    List<String> repeated = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      repeated.add("repeated-" + i);
    }
    int kept = 0;

    for (int round = 0; round < 100; round++) {
      for (String text : repeated) {
        String copy = new String(text);
        kept += pool.share(copy) == copy ? 0 : 1;
      }
      for (int i = 0; i < 100; i++) {
        pool.share("unique-" + round + "-" + i);
      }
    }

    assertThat(kept).isGreaterThan(200 * 100 * 95 / 100);
  }
}
