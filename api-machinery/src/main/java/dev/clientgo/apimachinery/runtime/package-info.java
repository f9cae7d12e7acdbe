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
 * ListMeta page = ListDecoder.read(JsonReader.of(body, context), type.codec(), new ListSink<Ship>() {
 *   public void accept(Ship ship) {
 *     store.add(ship);
 *   }
 *
 *   public void undecodable(CodecException error) {
 *     log.log(Level.WARNING, "skipped an object", error); // says which, what is wrong, and where
 *   }
 * });
 * }</pre>
 */
package dev.clientgo.apimachinery.runtime;
