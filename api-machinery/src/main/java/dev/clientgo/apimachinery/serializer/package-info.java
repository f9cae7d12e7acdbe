/**
 * The encodings of objects, lists and watches, and how a client chooses between them.
 *
 * <p>A {@link dev.clientgo.apimachinery.serializer.ResourceType} is all that a client needs to know
 * about one kind of object: where it is served, whether it lives in namespaces, and how it is read
 * and written.
 *
 * <p>A list is never held as a whole. {@link dev.clientgo.apimachinery.serializer.ListDecoder}
 * hands over each item as soon as it is read, and names those that it cannot read:
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
 * <p>Every server understands JSON. A type may have other encodings, which clients prefer and fall
 * back from: a {@link dev.clientgo.apimachinery.serializer.Serializer} is one encoding, a {@link
 * dev.clientgo.apimachinery.serializer.NegotiatedSerializer} chooses between several.
 */
package dev.clientgo.apimachinery.serializer;
