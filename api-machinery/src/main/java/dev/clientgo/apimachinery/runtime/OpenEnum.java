package dev.clientgo.apimachinery.runtime;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A string of which some values are known and any may come: a server that is newer than this
 * program may use values that it does not know, and they must survive.
 *
 * <p>Made for extension by generated classes, which have a constant for each known value and a
 * method {@code of} that returns it; so a known value may be compared with {@code ==}. Immutable.
 *
 * <p>Corresponds to the string types of client-go's API, such as {@code corev1.PullPolicy}.
 */
public abstract class OpenEnum {

  private final String value;

  /** Creates a value. */
  protected OpenEnum(String value) {
    this.value = requireNonNull(value, "value");
  }

  /** Returns a codec of values that a function makes of strings. */
  protected static <T extends OpenEnum> JsonCodec<T> codec(Function<String, T> of) {
    return new Codec<>(of);
  }

  /** Returns the value as it is written, for use in a {@code switch}. */
  public final String value() {
    return value;
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

  /** Returns the value as it is written. */
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
