/**
 * JSON, read and written without a tree and without reflection.
 *
 * <p>An informer on a large cluster reads hundreds of megabytes, of which most say again what was
 * said before. So nothing here builds a tree on the way to an object. A {@link
 * dev.clientgo.apimachinery.json.JsonCodec} knows one type. It asks a {@link
 * dev.clientgo.apimachinery.json.JsonReader} for the next field of its {@link
 * dev.clientgo.apimachinery.json.FieldNames}, then for the value that such a field has. Whatever it
 * does not know is skipped:
 *
 * <pre>{@code
 * record Port(@Nullable String name, int number) {
 *
 *   static final JsonCodec<Port> CODEC = new PortCodec();
 * }
 *
 * static final class PortCodec implements JsonCodec<Port> {
 *
 *   private static final FieldNames FIELDS = FieldNames.of("name", "number");
 *
 *   @Override
 *   public Port read(JsonReader in) {
 *     String name = null;
 *     int number = 0;
 *     in.beginObject();
 *     for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
 *       switch (field) {
 *         case 0 -> name = in.nextString();
 *         case 1 -> number = in.nextInt();
 *         default -> throw new AssertionError(field);
 *       }
 *     }
 *     return new Port(name, number);
 *   }
 *
 *   @Override
 *   public void write(JsonWriter out, Port port) {
 *     out.beginObject();
 *     out.field("name", port.name());
 *     out.field("number", port.number());
 *     out.endObject();
 *   }
 * }
 *
 * byte[] json = JsonWriter.toBytes(Port.CODEC, new Port("http", 80));
 * Port port = JsonReader.fromBytes(Port.CODEC, json);
 * }</pre>
 *
 * <p>What repeats is kept once: names and short strings come from the pool of the stream's {@link
 * dev.clientgo.apimachinery.json.DecodeContext}, which a codec may also ask to {@linkplain
 * dev.clientgo.apimachinery.json.DecodeContext#share(Object) share} a value. A whole object whose
 * text was read before is {@linkplain dev.clientgo.apimachinery.json.JsonReader#nextValue not read
 * again}. That is safe because all values are immutable, and the pools are bounded.
 *
 * <p>Bad input comes in three kinds. A value of the wrong type or out of range, an object that is
 * too large or too deep, a string that is not UTF-8: the error says what, where and in which
 * object, and the rest of the stream stays readable; {@link
 * dev.clientgo.apimachinery.json.JsonReader#nextObject} stands behind the bad object. Text that is
 * no JSON, or that ends too early, makes the rest unreadable. And a stream that fails is an {@link
 * java.io.UncheckedIOException}, never an error about JSON.
 */
package dev.clientgo.apimachinery.json;
