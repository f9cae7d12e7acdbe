package dev.clientgo.apimachinery.resource;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An amount of something, such as {@code 500m} of a CPU or {@code 2Gi} of memory.
 *
 * <p>A quantity is a decimal number, exact to nine digits behind the point. Further digits are
 * rounded away from zero, so a small request never becomes zero. No binary floating point is
 * involved. A quantity keeps the {@linkplain Format format} in which it was written.
 *
 * <pre>{@code
 * Quantity request = Quantity.parse("1.5Gi");
 * request.value(); // 1610612736
 * request.toString(); // 1536Mi
 * request.plus(Quantity.parse("512Mi")).toString(); // 2Gi
 * Quantity.parse("0.5").equals(Quantity.parse("500m")); // true
 * }</pre>
 *
 * <p>Two quantities are equal if they are the same number, whatever their format and text: {@code
 * 1} equals {@code 1000m}. A quantity that was read keeps its text, so reading and writing an
 * object does not change it; {@link #toString} returns the canonical form. Immutable.
 *
 * <p>Corresponds to client-go's {@code resource.Quantity}. Unlike there, a quantity never changes,
 * its text is written as it was read, and a number of more than 64 bits does not overflow.
 */
public final class Quantity implements Comparable<Quantity> {

  /** The scale of a billionth, {@code n}. */
  public static final int NANO = -9;

  /** The scale of a millionth, {@code u}. */
  public static final int MICRO = -6;

  /** The scale of a thousandth, {@code m}. */
  public static final int MILLI = -3;

  /** The scale of a thousand, {@code k}. */
  public static final int KILO = 3;

  /** The scale of a million, {@code M}. */
  public static final int MEGA = 6;

  /** The scale of 10⁹, {@code G}. */
  public static final int GIGA = 9;

  /** The scale of 10¹², {@code T}. */
  public static final int TERA = 12;

  /** The scale of 10¹⁵, {@code P}. */
  public static final int PETA = 15;

  /** The scale of 10¹⁸, {@code E}. */
  public static final int EXA = 18;

  /** Zero. */
  public static final Quantity ZERO = of(0);

  /**
   * Reads and writes this type. A custom resource may have a number instead of a string; it is read
   * exactly, and written as a number.
   */
  public static final JsonCodec<Quantity> CODEC = new Codec();

  /** The forms in which a quantity is written. */
  public enum Format {
    /** With a suffix for a power of ten, such as {@code 12M} for 12 · 10⁶. */
    DECIMAL_SI,
    /** With a suffix for a power of two, such as {@code 12Mi} for 12 · 2²⁰. */
    BINARY_SI,
    /** With an exponent, such as {@code 12e6}. */
    DECIMAL_EXPONENT
  }

  private final BigDecimal amount;
  private final Format format;

  /** The text that was read; null if the quantity was computed. */
  private final @Nullable String text;

  private final boolean textIsCanonical;

  /** Whether the text was a number in JSON. */
  private final boolean textIsNumber;

  Quantity(BigDecimal amount, Format format, @Nullable String text, boolean textIsCanonical) {
    this.amount = amount.scale() > -NANO ? round(amount, NANO) : amount;
    this.format = requireNonNull(format, "format");
    this.text = text;
    this.textIsCanonical = textIsCanonical;
    this.textIsNumber = false;
  }

  private Quantity(Quantity number) {
    this.amount = number.amount;
    this.format = number.format;
    this.text = number.text;
    this.textIsCanonical = number.textIsCanonical;
    this.textIsNumber = true;
  }

  private Quantity(BigDecimal amount, Format format) {
    this(amount, format, null, false);
  }

  /** Returns a whole number in the format {@link Format#DECIMAL_SI}. */
  public static Quantity of(long value) {
    return of(value, Format.DECIMAL_SI);
  }

  /** Returns a whole number. */
  public static Quantity of(long value, Format format) {
    return new Quantity(BigDecimal.valueOf(value), format);
  }

  /** Returns a number, rounded away from zero to nine digits behind the point. */
  public static Quantity of(BigDecimal value, Format format) {
    return new Quantity(value, format);
  }

  /**
   * Returns {@code value} · 10<sup>{@code scale}</sup> in the format {@link Format#DECIMAL_SI}, as
   * in {@code ofScaled(250, MILLI)}.
   */
  public static Quantity ofScaled(long value, int scale) {
    return of(BigDecimal.valueOf(value, Math.negateExact(scale)), Format.DECIMAL_SI);
  }

  /** Does the same as {@link #parse}. */
  public static Quantity of(String text) {
    return parse(text);
  }

  /**
   * Parses a number with or without a suffix, such as {@code 500m}, {@code 1.5Gi} or {@code 3e6}.
   * With a binary suffix, the maximum is 2⁶³ − 1; a larger number becomes the maximum.
   *
   * @throws IllegalArgumentException if the text is not a quantity; white space is not allowed
   */
  public static Quantity parse(String text) {
    return QuantityParser.parse(text);
  }

  /** Returns the form in which this quantity is written. */
  public Format format() {
    return format;
  }

  /** Returns this quantity as an exact number. */
  public BigDecimal toBigDecimal() {
    return amount;
  }

  /** Returns this quantity as a whole number of 64 bits, if it is one. */
  public OptionalLong toLongExact() {
    BigDecimal whole = amount.setScale(0, RoundingMode.DOWN);
    return whole.compareTo(amount) == 0 && fitsLong(whole.toBigInteger())
        ? OptionalLong.of(whole.longValue())
        : OptionalLong.empty();
  }

  /**
   * Returns the {@code double} nearest to this quantity, infinite if it is too large. For metrics,
   * not for calculations with quantities.
   */
  public double toApproximateDouble() {
    return amount.doubleValue();
  }

  /** Returns this quantity in whole units; see {@link #scaledValue}. */
  public long value() {
    return scaledValue(0);
  }

  /** Returns this quantity in thousandths; see {@link #scaledValue}. */
  public long milliValue() {
    return scaledValue(MILLI);
  }

  /**
   * Returns this quantity divided by 10<sup>{@code scale}</sup>, rounded away from zero. If the
   * result is out of the range of a {@code long}, returns the end of the range.
   */
  public long scaledValue(int scale) {
    BigInteger units =
        round(amount, scale).scaleByPowerOfTen(Math.negateExact(scale)).toBigInteger();
    if (fitsLong(units)) {
      return units.longValue();
    }
    return units.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private static boolean fitsLong(BigInteger value) {
    return value.bitLength() < Long.SIZE;
  }

  private static BigDecimal round(BigDecimal amount, int scale) {
    return amount.setScale(Math.negateExact(scale), RoundingMode.UP);
  }

  /** Returns this quantity rounded away from zero to a multiple of 10<sup>{@code scale}</sup>. */
  public Quantity roundUp(int scale) {
    return -amount.scale() >= scale ? this : new Quantity(round(amount, scale), format);
  }

  /** Returns the sum, in the format of this quantity, or of the other if this one is zero. */
  public Quantity plus(Quantity other) {
    return new Quantity(amount.add(other.amount), isZero() ? other.format : format);
  }

  /** Returns the difference, in the format of this quantity, or of the other if this is zero. */
  public Quantity minus(Quantity other) {
    return new Quantity(amount.subtract(other.amount), isZero() ? other.format : format);
  }

  /** Returns the product. */
  public Quantity times(long factor) {
    return new Quantity(amount.multiply(BigDecimal.valueOf(factor)), format);
  }

  /** Returns the negative of this quantity. */
  public Quantity negate() {
    return new Quantity(amount.negate(), format);
  }

  /** Returns -1, 0 or 1 if this quantity is negative, zero or positive. */
  public int signum() {
    return amount.signum();
  }

  /** Returns whether this quantity is zero. */
  public boolean isZero() {
    return amount.signum() == 0;
  }

  /** Compares the numbers. */
  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
  }

  @Override
  public int hashCode() {
    return amount.stripTrailingZeros().hashCode();
  }

  /**
   * Returns the canonical form: without a fraction, and with the largest suffix that keeps the
   * exact value. A text that upstream considers canonical, such as {@code 1.234}, stays unchanged.
   */
  @Override
  public String toString() {
    return text != null && textIsCanonical ? text : CanonicalForm.of(amount, format);
  }

  private static final class Codec implements JsonCodec<Quantity> {

    /**
     * A text and its quantity, so a text that repeats is parsed once. Equal quantities cannot be
     * shared, since their texts may differ.
     */
    private static final class Parsed {
      private final String text;
      private final boolean number;
      private @Nullable Quantity quantity;

      Parsed(String text, boolean number) {
        this.text = text;
        this.number = number;
      }

      Quantity quantity() {
        Quantity parsed = quantity;
        if (parsed == null) {
          parsed = number ? new Quantity(parse(text)) : parse(text);
          quantity = parsed;
        }
        return parsed;
      }

      @Override
      public boolean equals(@Nullable Object other) {
        return other instanceof Parsed parsed
            && number == parsed.number
            && text.equals(parsed.text);
      }

      @Override
      public int hashCode() {
        return text.hashCode();
      }
    }

    @Override
    public Quantity read(JsonReader in) {
      boolean number = in.peek() == JsonReader.Token.NUMBER;
      String text = number ? in.nextRaw().toString() : in.nextString().strip();
      try {
        return in.context().share(new Parsed(text, number)).quantity();
      } catch (IllegalArgumentException e) {
        throw in.mismatch(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void write(JsonWriter out, Quantity value) {
      String text = value.text != null ? value.text : value.toString();
      if (value.textIsNumber) {
        out.raw(RawJson.of(text));
      } else {
        out.string(text);
      }
    }
  }
}
