package dev.clientgo.apimachinery.validation;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A parsed IP address. It accepts leading zeros in the parts of an IPv4 address, as upstream's old
 * parser does, and records them, since most other parsers read such parts as octal.
 */
final class IpAddress {

  private static final int V4_BYTES = 4;
  private static final int V6_BYTES = 16;

  /** Four bytes if the text was IPv4, otherwise sixteen. */
  private final byte[] bytes;

  private final boolean leadingZeros;

  private IpAddress(byte[] bytes, boolean leadingZeros) {
    this.bytes = bytes;
    this.leadingZeros = leadingZeros;
  }

  /** Parses an address without zone, brackets or port; empty if the text is not one. */
  static Optional<IpAddress> parse(String text) {
    return Optional.ofNullable(text.indexOf(':') >= 0 ? parseV6(text) : parseV4(text));
  }

  private static @Nullable IpAddress parseV4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != V4_BYTES) {
      return null;
    }
    byte[] bytes = new byte[V4_BYTES];
    boolean zeros = false;
    for (int i = 0; i < V4_BYTES; i++) {
      int value = number(parts[i], 255);
      if (value < 0) {
        return null;
      }
      zeros |= hasLeadingZeros(parts[i]);
      bytes[i] = (byte) value;
    }
    return new IpAddress(bytes, zeros);
  }

  private static @Nullable IpAddress parseV6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      V6Part whole = V6Part.parse(text, true);
      return whole == null || whole.length() != V6_BYTES
          ? null
          : new IpAddress(whole.bytes, whole.leadingZeros);
    }
    V6Part head = V6Part.parse(text.substring(0, gap), false);
    V6Part tail = V6Part.parse(text.substring(gap + 2), true);
    // The gap has at least two bytes.
    if (head == null || tail == null || head.length() + tail.length() > V6_BYTES - 2) {
      return null;
    }
    byte[] bytes = Arrays.copyOf(head.bytes, V6_BYTES);
    System.arraycopy(tail.bytes, 0, bytes, V6_BYTES - tail.length(), tail.length());
    return new IpAddress(bytes, tail.leadingZeros);
  }

  /** Consecutive groups of an IPv6 address. */
  private static final class V6Part {
    private final byte[] bytes;
    private final boolean leadingZeros;

    private V6Part(byte[] bytes, boolean leadingZeros) {
      this.bytes = bytes;
      this.leadingZeros = leadingZeros;
    }

    static @Nullable V6Part parse(String text, boolean mayEndInV4) {
      if (text.isEmpty()) {
        return new V6Part(new byte[0], false);
      }
      String[] groups = text.split(":", -1);
      if (groups.length > V6_BYTES / 2) {
        return null;
      }
      byte[] bytes = new byte[groups.length * 2 + 2];
      for (int i = 0; i < groups.length; i++) {
        if (mayEndInV4 && i == groups.length - 1 && groups[i].indexOf('.') >= 0) {
          IpAddress v4 = parseV4(groups[i]);
          if (v4 == null) {
            return null;
          }
          System.arraycopy(v4.bytes, 0, bytes, i * 2, V4_BYTES);
          return new V6Part(Arrays.copyOf(bytes, i * 2 + V4_BYTES), v4.leadingZeros);
        }
        if (!groups[i].matches("[0-9a-fA-F]{1,4}")) {
          return null;
        }
        int group = Integer.parseInt(groups[i], 16);
        bytes[i * 2] = (byte) (group >> 8);
        bytes[i * 2 + 1] = (byte) group;
      }
      return new V6Part(Arrays.copyOf(bytes, groups.length * 2), false);
    }

    int length() {
      return bytes.length;
    }
  }

  /** Parses a number in decimal digits, up to a bound; -1 if the text is not one. */
  static int number(String text, int most) {
    if (!text.matches("[0-9]{1,9}")) {
      return -1;
    }
    int value = Integer.parseInt(text);
    return value <= most ? value : -1;
  }

  static boolean hasLeadingZeros(String number) {
    return number.length() > 1 && number.startsWith("0");
  }

  boolean hasLeadingZeros() {
    return leadingZeros;
  }

  /** Returns the number of bits of an address of this kind. */
  int bits() {
    return bytes.length * 8;
  }

  /** Returns whether it is an IPv6 address that maps an IPv4 address. */
  boolean isV4InV6() {
    return bytes.length == V6_BYTES
        && Arrays.equals(bytes, 0, 10, new byte[10], 0, 10)
        && bytes[10] == -1
        && bytes[11] == -1;
  }

  /** Returns the address with all bits behind the prefix unset. */
  IpAddress masked(int prefix) {
    byte[] masked = bytes.clone();
    for (int bit = prefix; bit < bits(); bit++) {
      masked[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
    }
    return new IpAddress(masked, false);
  }

  boolean isSameAs(IpAddress other) {
    return Arrays.equals(bytes, other.bytes);
  }

  /** Returns the canonical form: that of RFC 5952 for IPv6, dotted decimal for IPv4. */
  String canonical() {
    if (bytes.length == V4_BYTES || isV4InV6()) {
      int from = bytes.length - V4_BYTES;
      return (bytes[from] & 0xff)
          + "."
          + (bytes[from + 1] & 0xff)
          + "."
          + (bytes[from + 2] & 0xff)
          + "."
          + (bytes[from + 3] & 0xff);
    }
    int gap = -1;
    int gapEnd = -1;
    for (int i = 0; i < V6_BYTES / 2; i++) {
      int end = i;
      while (end < V6_BYTES / 2 && group(end) == 0) {
        end++;
      }
      if (end - i > 1 && end - i > gapEnd - gap) {
        gap = i;
        gapEnd = end;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < V6_BYTES / 2; i++) {
      if (i == gap) {
        text.append("::");
        i = gapEnd - 1;
      } else {
        text.append(i > 0 && i != gapEnd ? ":" : "").append(Integer.toHexString(group(i)));
      }
    }
    return text.toString();
  }

  private int group(int index) {
    return (bytes[index * 2] & 0xff) << 8 | (bytes[index * 2 + 1] & 0xff);
  }
}
