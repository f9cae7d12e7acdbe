package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** CBOR as texts of hexadecimal digits, and in all forms that the format allows. */
public final class CborBytes {

  private CborBytes() {}

  /** Returns the bytes of a text of digits; spaces have no meaning. */
  public static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  /** Returns a tree in a random one of its forms: long heads, parts, breaks, tags. */
  public static byte[] anyForm(@Nullable Object tree, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AnyForm(out, random).write(tree);
    return out.toByteArray();
  }

  private record AnyForm(ByteArrayOutputStream out, Random random) {

    void write(@Nullable Object value) {
      if (random.nextInt(20) == 0) {
        head(6, random.nextBoolean() ? 55799 : 1000);
      }
      if (value instanceof Map<?, ?> map) {
        boolean indefinite = begin(5, map.size());
        map.forEach(
            (name, each) -> {
              string((String) name);
              write(each);
            });
        end(indefinite);
      } else if (value instanceof List<?> list) {
        boolean indefinite = begin(4, list.size());
        list.forEach(this::write);
        end(indefinite);
      } else if (value instanceof String text) {
        string(text);
      } else if (value instanceof Long number) {
        head(number < 0 ? 1 : 0, number < 0 ? ~number : number);
      } else if (value instanceof Double number) {
        fixed(0xFB, Double.doubleToLongBits(number), 8);
      } else {
        out.write(value == null ? 0xF6 : value.equals(true) ? 0xF5 : 0xF4);
      }
    }

    private void string(String text) {
      byte[] bytes = text.getBytes(UTF_8);
      // Not as text in parts: a part must not end within a character.
      int type = 2 + random.nextInt(2);
      if (type == 3 || random.nextInt(4) > 0) {
        head(type, bytes.length);
        out.writeBytes(bytes);
        return;
      }
      out.write(type << 5 | 31);
      for (int from = 0; from < bytes.length; ) {
        int count = 1 + random.nextInt(bytes.length - from);
        head(type, count);
        out.write(bytes, from, count);
        from += count;
      }
      out.write(0xFF);
    }

    private boolean begin(int type, int count) {
      boolean indefinite = random.nextInt(3) == 0;
      if (indefinite) {
        out.write(type << 5 | 31);
      } else {
        head(type, count);
      }
      return indefinite;
    }

    private void end(boolean indefinite) {
      if (indefinite) {
        out.write(0xFF);
      }
    }

    private void head(int type, long argument) {
      int least =
          argument < 0 || argument > 0xFFFFFFFFL
              ? 3
              : argument > 0xFFFF ? 2 : argument > 0xFF ? 1 : 0;
      if (argument >= 0 && argument < 24 && random.nextInt(4) > 0) {
        out.write(type << 5 | (int) argument);
      } else {
        int size = least + random.nextInt(4 - least);
        fixed(type << 5 | 24 + size, argument, 1 << size);
      }
    }

    private void fixed(int first, long value, int size) {
      out.write(first);
      for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) {
        out.write((int) (value >> shift));
      }
    }
  }
}
