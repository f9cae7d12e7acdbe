package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Readers of short texts, in which {@code '} stands for {@code "}. */
final class TestReaders {

  /** A codec of a type with one number, {@code n}. */
  static final JsonCodec<Integer> BOX =
      new JsonCodec<>() {
        private static final FieldNames N = FieldNames.of("n");

        @Override
        public Integer read(JsonReader in) {
          int n = 0;
          in.beginObject();
          while (in.nextField(N) != JsonReader.END) {
            n = in.nextInt();
          }
          return n;
        }

        @Override
        public void write(JsonWriter out, Integer value) {
          throw new AssertionError("these tests only read");
        }
      };

  private TestReaders() {}

  static JsonReader reader(String json) {
    return JsonReader.of(json.replace('\'', '"').getBytes(UTF_8));
  }

  /** Returns a reader of a stream that gives one byte at a time. */
  static JsonReader bytewise(String json) {
    return bytewise(json.replace('\'', '"').getBytes(UTF_8));
  }

  static JsonReader bytewise(byte[] json) {
    return JsonReader.of(PieceStream.bytewise(json), DecodeContext.create());
  }

  static CodecException codecException(ThrowingCallable call) {
    CodecException error = catchThrowableOfType(CodecException.class, call);
    assertThat(error).as("a CodecException").isNotNull();
    return error;
  }
}
