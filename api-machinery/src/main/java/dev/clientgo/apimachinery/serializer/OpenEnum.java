package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A string with some known values. A newer server may use other values, and an edit must not lose
 * them.
 *
 * <p>Generated classes extend this one. They have a constant for each known value and a method
 * {@code of} that returns it, so a program may compare known values with {@code ==}, even if they
 * may be null. Immutable.
 *
 * <pre>{@code
 * if (status.phase() == PodPhase.RUNNING) { … } // null is not Running
 * if (status.phase().is("Running")) { … }              // any value, known or not
 * if (Phase.of(wanted).equals(status.phase())) { … }   // any value, and null is allowed
 * }</pre>
 *
 * <p>A value is not a {@link String}: {@code "Running".equals(status.phase())} is always false.
 * Error Prone's {@code EqualsIncompatibleType} and the inspections of editors report such a call;
 * javac does not.
 *
 * <p>Corresponds to the string types of client-go's API, such as {@code corev1.PullPolicy}.
 */
public abstract class OpenEnum {

  private final String value;

  /** Creates a value. */
  protected OpenEnum(String value) {
    this.value = requireNonNull(value, "value");
  }

  /** Returns a codec of values that a function creates from strings. */
  protected static <T extends OpenEnum> JsonCodec<T> codec(Function<String, T> of) {
    return new Codec<>(of);
  }

  /** Returns the text of the value, for use in a {@code switch}. */
  public final String value() {
    return value;
  }

  /**
   * Returns whether this value has the given text. Kotlin programs call {@link #equals(String)}.
   */
  public final boolean is(String text) {
    return value.equals(requireNonNull(text, "text"));
  }

  /**
   * Returns whether this value has the given text; false for null. Without this overload {@code
   * phase.equals("Running")} would compile and be false.
   */
  @SuppressWarnings("NonOverridingEquals")
  public final boolean equals(@Nullable String text) {
    return value.equals(text);
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof OpenEnum that
            && getClass() == that.getClass()
            && value.equals(that.value));
  }

  @Override
  public final int hashCode() {
    return value.hashCode();
  }

  /** Returns the text of the value. */
  @Override
  public final String toString() {
    return value;
  }

  private static final class Codec<T extends OpenEnum> implements JsonCodec<T> {

    private final Function<String, T> of;

    Codec(Function<String, T> of) {
      this.of = of;
    }

    @Override
    public T read(JsonReader in) {
      return of.apply(in.nextString());
    }

    @Override
    public void write(JsonWriter out, T value) {
      out.string(value.value());
    }
  }
}
