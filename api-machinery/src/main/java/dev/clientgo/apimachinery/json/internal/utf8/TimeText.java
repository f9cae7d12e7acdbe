package dev.clientgo.apimachinery.json.internal.utf8;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Formats times in UTC in the form of RFC 3339. */
public final class TimeText {

  /** The length of {@code 2026-01-31T12:00:00}. */
  public static final int SECONDS_LENGTH = 19;

  private static final int FRACTION_DIGITS = 6;

  /** The first second of the year 0, and that of the year 10000. */
  private static final long FIRST = -62_167_219_200L;

  private static final long BEYOND = 253_402_300_800L;

  private TimeText() {}

  /** Returns whether a second can be formatted: its year has four digits. */
  public static boolean isWritable(long seconds) {
    return seconds >= FIRST && seconds < BEYOND;
  }

  /** Returns {@code 2026-01-31T12:00:00Z}. */
  public static String seconds(long seconds) {
    byte[] text = new byte[SECONDS_LENGTH + 1];
    writeSeconds(text, seconds);
    text[SECONDS_LENGTH] = 'Z';
    return new String(text, ISO_8859_1);
  }

  /** Returns {@code 2026-01-31T12:00:00.000000Z}. */
  public static String micros(long seconds, long nanos) {
    byte[] text = new byte[SECONDS_LENGTH + FRACTION_DIGITS + 2];
    writeSeconds(text, seconds);
    text[SECONDS_LENGTH] = '.';
    write(text, SECONDS_LENGTH + 1, FRACTION_DIGITS, (int) (nanos / 1000));
    text[text.length - 1] = 'Z';
    return new String(text, ISO_8859_1);
  }

  private static void writeSeconds(byte[] text, long seconds) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    write(text, 0, 4, time.getYear());
    text[4] = '-';
    write(text, 5, 2, time.getMonthValue());
    text[7] = '-';
    write(text, 8, 2, time.getDayOfMonth());
    text[10] = 'T';
    write(text, 11, 2, time.getHour());
    text[13] = ':';
    write(text, 14, 2, time.getMinute());
    text[16] = ':';
    write(text, 17, 2, time.getSecond());
  }

  private static void write(byte[] text, int from, int digits, int number) {
    int rest = number;
    for (int i = from + digits - 1; i >= from; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
