package dev.clientgo.apimachinery.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random trees, as a reader gives them, and random texts of trees. */
public final class RandomJson {

  private final Random random;

  public RandomJson(Random random) {
    this.random = random;
  }

  /** Returns a tree of at most so many levels. */
  public @Nullable Object tree(int levels) {
    return switch (random.nextInt(levels > 0 ? 9 : 6)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2, 3 -> number();
      case 4, 5 -> string();
      case 6 -> list(levels - 1);
      default -> map(levels - 1);
    };
  }

  private List<@Nullable Object> list(int levels) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      list.add(tree(levels));
    }
    return Collections.unmodifiableList(list);
  }

  /** Returns a map of at most so many levels below it. */
  public Map<String, @Nullable Object> map(int levels) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(random.nextInt(8) == 0 ? 30 : 5); i > 0; i--) {
      map.put(string(), tree(levels));
    }
    return Collections.unmodifiableMap(map);
  }

  /** Returns a number as a reader gives it: of the narrowest of the three types. */
  private Number number() {
    return switch (random.nextInt(6)) {
      case 0 -> (long) random.nextInt(100);
      case 1 -> random.nextLong();
      case 2 -> random.nextInt(1000) / 8.0;
      case 3 -> random.nextGaussian() * Math.pow(10, random.nextInt(600) - 300);
      case 4 -> new BigDecimal(new BigInteger(90, random), random.nextInt(40)).add(TINY);
      default -> Long.MIN_VALUE >>> random.nextInt(2);
    };
  }

  private static final BigDecimal TINY = new BigDecimal("1.00000000000000000001e-41");

  /** Returns a string, sometimes long, sometimes with characters that are escaped or many bytes. */
  public String string() {
    int length = random.nextInt(random.nextInt(300) == 0 ? 20_000 : 20);
    int[] codePoints = new int[length];
    int style = random.nextInt(6);
    for (int i = 0; i < length; i++) {
      codePoints[i] = style == 0 ? codePoint() : 'a' + random.nextInt(26);
    }
    return new String(codePoints, 0, length);
  }

  private int codePoint() {
    int bound =
        switch (random.nextInt(5)) {
          case 0 -> 0x20;
          case 1 -> 0x80;
          case 2 -> 0x800;
          case 3 -> 0xD800;
          default -> Character.MAX_CODE_POINT + 1;
        };
    int codePoint = random.nextInt(bound);
    return codePoint >= 0xD800 && codePoint <= 0xDFFF ? '"' : codePoint;
  }

  /** Returns a text of the tree with random white space and random escapes. */
  public String text(@Nullable Object tree) {
    StringBuilder text = new StringBuilder();
    append(text, tree);
    return text.toString();
  }

  private void append(StringBuilder text, @Nullable Object tree) {
    space(text);
    if (tree instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        space(text.append(separator));
        quote(text, (String) entry.getKey());
        space(text);
        append(text.append(':'), entry.getValue());
        separator = ",";
      }
      space(text.append(map.isEmpty() ? "{" : ""));
      text.append('}');
    } else if (tree instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        append(text.append(separator), element);
        separator = ",";
      }
      space(text.append(list.isEmpty() ? "[" : ""));
      text.append(']');
    } else if (tree instanceof String string) {
      quote(text, string);
    } else {
      text.append(tree);
    }
    space(text);
  }

  private void space(StringBuilder text) {
    if (random.nextInt(8) == 0) {
      text.append(" \t\r\n".charAt(random.nextInt(4)));
    }
  }

  private void quote(StringBuilder text, String string) {
    text.append('"');
    string
        .codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c == '"' || c == '\\' || random.nextInt(50) == 0) {
                String format = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
                for (char half : Character.toChars(c)) {
                  text.append(String.format(format, (int) half));
                }
              } else {
                text.appendCodePoint(c);
              }
            });
    text.append('"');
  }
}
