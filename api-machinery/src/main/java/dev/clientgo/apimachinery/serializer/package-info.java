/**
 * The encodings of objects, lists and watches, and the choice between them.
 *
 * <p>A {@link dev.clientgo.apimachinery.serializer.ResourceType} describes one resource: its kind,
 * its place on the server, whether its objects live in namespaces, and their codecs.
 *
 * <p>A client never holds a whole list. {@link dev.clientgo.apimachinery.serializer.ListDecoder}
 * passes each item on as soon as it has read it, and names the items that it cannot read:
 *
 * <pre>{@code
 * ListSink<Unstructured> sink =
 *     new ListSink<>() {
 *       @Override
 *       public void accept(Unstructured ship) {
 *         store.add(ship);
 *       }
 *
 *       @Override
 *       public void undecodable(CodecException error) {
 *         skipped.add(error); // names the object, the problem and the place
 *       }
 *     };
 * ListMeta page = ListDecoder.read(JsonReader.of(body, context), type.codec(), sink);
 * }</pre>
 *
 * <p>Every server supports JSON. If a type has another encoding, clients prefer it, and fall back
 * to JSON. A {@link dev.clientgo.apimachinery.serializer.Serializer} is one encoding; a {@link
 * dev.clientgo.apimachinery.serializer.NegotiatedSerializer} chooses between several.
 */
package dev.clientgo.apimachinery.serializer;
