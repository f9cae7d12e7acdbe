/**
 * What objects of the API have in common, and how lists of them are read.
 *
 * <p>A {@link dev.clientgo.apimachinery.runtime.KubernetesObject} has a type, a name and a version.
 * A {@link dev.clientgo.apimachinery.runtime.ResourceType} is all that a client needs to know about
 * one kind of them: where they are served, whether they live in namespaces, and the codec that
 * reads and writes them.
 *
 * <p>A list is never held as a whole. {@link dev.clientgo.apimachinery.runtime.ListDecoder} hands
 * over each item as soon as it is read, and names the ones it could not read:
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
 *         skipped.add(error); // says which, what is wrong, and where
 *       }
 *     };
 * ListMeta page = ListDecoder.read(JsonReader.of(body, context), type.codec(), sink);
 * }</pre>
 *
 * <p>JSON is the encoding that every server speaks. A type may have others, which clients prefer
 * and fall back from by themselves: {@link dev.clientgo.apimachinery.runtime.Serializer} is one,
 * and {@link dev.clientgo.apimachinery.runtime.NegotiatedSerializer} chooses between them.
 *
 * <p>A {@link dev.clientgo.apimachinery.runtime.Scheme} is for programs that meet objects of many
 * types: it finds the type of a kind and the kinds of a type. Types need not be generated. A record
 * of yours is bound by databind:
 *
 * <pre>{@code
 * Scheme scheme =
 *     Scheme.builder().add(new GroupVersion("example.com", "v1"), Widget.class).build();
 * Widget widget = (Widget) scheme.decode(json);
 * }</pre>
 */
package dev.clientgo.apimachinery.runtime;
