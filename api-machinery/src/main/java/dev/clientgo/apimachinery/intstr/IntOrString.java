package dev.clientgo.apimachinery.intstr;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A number or a text: {@code 8080} or {@code "http"}, {@code 3} or {@code "25%"}. The number {@code
 * 1} and the text {@code "1"} are not equal. Immutable.
 *
 * <p>Corresponds to client-go's {@code intstr.IntOrString}.
 */
public final class IntOrString {

  /** Reads and writes this type. */
  public static final JsonCodec<IntOrString> CODEC = new Codec();

  private final int number;
  private final @Nullable String text;

  private IntOrString(int number, @Nullable String text) {
    this.number = number;
    this.text = text;
  }

  /** Returns the value of a number. */
  public static IntOrString of(int number) {
    return new IntOrString(number, null);
  }

  /** Returns the value of a text. */
  public static IntOrString of(String text) {
    return new IntOrString(0, requireNonNull(text, "text"));
  }

  /**
   * Returns a number if the text is one, or else the text.
   *
   * <p>Corresponds to client-go's {@code intstr.Parse}.
   */
  public static IntOrString parse(String text) {
    if (!text.matches("[+-]?[0-9]{1,100}")) { // parseInt also accepts digits of other scripts
      return of(text);
    }
    try {
      return of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return of(text);
    }
  }

  /**
   * Returns the number, or the number that the text is, or else 0.
   *
   * <p>Corresponds to client-go's {@code IntOrString.IntValue}.
   */
  public int intValue() {
    return text == null ? number : parse(text).number;
  }

  /** Returns the number, if it is one. */
  public OptionalInt number() {
    return text == null ? OptionalInt.of(number) : OptionalInt.empty();
  }

  /** Returns the text, if it is one. */
  public Optional<String> text() {
    return Optional.ofNullable(text);
  }

  /**
   * Returns the number, or the percentage of a total.
   *
   * <p>Corresponds to client-go's {@code intstr.GetScaledValueFromIntOrPercent}.
   *
   * @param roundUp whether a fraction counts as one more
   * @throws IllegalArgumentException if the text is not a percentage such as {@code "25%"}
   */
  public int scaled(int total, boolean roundUp) {
    if (text == null) {
      return number;
    }
    if (!text.matches("[+-]?[0-9]{1,9}%")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is neither a number nor a percentage such as \"25%\"");
    }
    double part = Integer.parseInt(text.substring(0, text.length() - 1)) * (double) total / 100;
    return (int) (roundUp ? Math.ceil(part) : Math.floor(part));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IntOrString that
        && number == that.number
        && (text == null ? that.text == null : text.equals(that.text));
  }

  @Override
  public int hashCode() {
    return text == null ? number : text.hashCode();
  }

  /** Returns the number in digits, or the text. */
  @Override
  public String toString() {
    return text == null ? Integer.toString(number) : text;
  }

  private static final class Codec implements JsonCodec<IntOrString> {

    @Override
    public IntOrString read(JsonReader in) {
      return in.peek() == JsonReader.Token.STRING ? of(in.nextString()) : of(in.nextInt());
    }

    @Override
    public void write(JsonWriter out, IntOrString value) {
      if (value.text == null) {
        out.integer(value.number);
      } else {
        out.string(value.text);
      }
    }
  }
}
