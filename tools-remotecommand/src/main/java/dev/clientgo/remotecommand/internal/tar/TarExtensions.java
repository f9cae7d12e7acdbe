package dev.clientgo.remotecommand.internal.tar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the next entry that do not fit into its header: records of {@code pax}, and long
 * names of GNU. For one thread.
 */
final class TarExtensions {

  /** The records that a header for all entries must not have. */
  private static final String[] OF_ONE_ENTRY = {"path", "linkpath", "size"};

  private final Map<String, byte[]> records = new HashMap<>();

  /** Adds a name of GNU, which ends at its first zero. */
  void addLongName(String key, byte[] content) {
    int end = 0;
    while (end < content.length && content[end] != 0) {
      end++;
    }
    records.put(key, Arrays.copyOf(content, end));
  }

  /** Adds records of the form {@code LENGTH KEY=VALUE\n}, whose length counts all of it. */
  void addRecords(byte[] content) throws TarFormatException {
    for (int start = 0; start < content.length && content[start] != 0; ) {
      int space = start;
      int length = 0;
      while (space < content.length && content[space] != ' ') {
        int digit = content[space] - '0';
        if (digit < 0 || digit > 9 || length > content.length) {
          throw malformed();
        }
        length = length * 10 + digit;
        space++;
      }
      int end = start + length;
      int equal = space + 1;
      if (length == 0 || end > content.length || equal >= end || content[end - 1] != '\n') {
        throw malformed();
      }
      while (equal < end && content[equal] != '=') {
        equal++;
      }
      if (equal == end || equal == space + 1) {
        throw malformed();
      }
      add(
          new String(content, space + 1, equal - space - 1, UTF_8),
          Arrays.copyOfRange(content, equal + 1, end - 1));
      start = end;
    }
  }

  private void add(String key, byte[] value) throws TarFormatException {
    if (key.startsWith("GNU.sparse.")) {
      throw new TarFormatException("the archive has a sparse file; create it without that option");
    }
    records.put(key, value);
  }

  /** Checks records for all entries, of which none is of use here. */
  static void checkGlobal(byte[] content) throws TarFormatException {
    TarExtensions global = new TarExtensions();
    global.addRecords(content);
    for (String key : OF_ONE_ENTRY) {
      if (global.records.containsKey(key)) {
        throw new TarFormatException("the archive has one " + key + " for all its entries");
      }
    }
  }

  private static TarFormatException malformed() {
    return new TarFormatException("the archive has an extended header that is malformed");
  }

  byte[] name(byte[] inHeader) {
    return nonEmpty("path", inHeader);
  }

  byte[] link(byte[] inHeader) {
    return nonEmpty("linkpath", inHeader);
  }

  private byte[] nonEmpty(String key, byte[] inHeader) {
    byte[] value = records.get(key);
    return value == null || value.length == 0 ? inHeader : value;
  }

  long size(long inHeader) throws TarFormatException {
    BigDecimal size = number("size");
    if (size == null) {
      return inHeader;
    }
    if (size.signum() < 0 || size.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new TarFormatException("an entry of the archive has an impossible size");
    }
    return size.longValue();
  }

  Instant modified(long inHeader) throws TarFormatException {
    BigDecimal time = number("mtime");
    try {
      if (time == null) {
        return Instant.ofEpochSecond(inHeader);
      }
      BigDecimal seconds = time.setScale(0, RoundingMode.FLOOR);
      return Instant.ofEpochSecond(
          seconds.longValueExact(), time.subtract(seconds).movePointRight(9).longValue());
    } catch (DateTimeException | ArithmeticException e) {
      throw new TarFormatException("an entry of the archive has an impossible time");
    }
  }

  /** Returns a decimal number without an exponent, whose value could be endless. */
  private @Nullable BigDecimal number(String key) throws TarFormatException {
    byte[] value = records.get(key);
    if (value == null || value.length == 0) {
      return null;
    }
    String text = new String(value, UTF_8);
    if (value.length > 40 || !text.matches("-?[0-9]+(\\.[0-9]*)?")) {
      throw malformed();
    }
    return new BigDecimal(text.endsWith(".") ? text + "0" : text);
  }
}
