/**
 * JSON, read and written without a tree and without reflection.
 *
 * <p>An informer on a large cluster reads hundreds of megabytes, and most of them repeat. So the
 * reader builds no tree on the way to an object. A {@link dev.clientgo.apimachinery.json.JsonCodec}
 * knows one type. It asks a {@link dev.clientgo.apimachinery.json.JsonReader} for the next field of
 * its {@link dev.clientgo.apimachinery.json.FieldNames}, then for a value of the type that the
 * field has. The reader skips fields that the codec does not know:
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
 * <p>Equal values are kept once. Names and short strings come from the pool of the stream's {@link
 * dev.clientgo.apimachinery.json.DecodeContext}; a codec may also ask it to {@linkplain
 * dev.clientgo.apimachinery.json.DecodeContext#share(Object) share} a value. If the text of a whole
 * object was read before, the reader {@linkplain
 * dev.clientgo.apimachinery.json.JsonReader#nextValue returns the known value}. That is safe
 * because all values are immutable. The pools are bounded.
 *
 * <p>There are three kinds of errors:
 *
 * <ul>
 *   <li>A value has the wrong type or is out of range, an object is too large or too deep, or a
 *       string is not UTF-8. The error names the problem, the place and the object. The rest of the
 *       stream stays readable: {@link dev.clientgo.apimachinery.json.JsonReader#nextObject} moves
 *       behind the bad object.
 *   <li>The text is not JSON, or ends too early. The rest of the stream is unreadable.
 *   <li>The stream fails. This is an {@link java.io.UncheckedIOException}, never an error about
 *       JSON.
 * </ul>
 */
package dev.clientgo.apimachinery.json;
