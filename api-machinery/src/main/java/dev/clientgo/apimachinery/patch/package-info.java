/**
 * Patches: changes to objects.
 *
 * <p>The API server accepts four kinds. A {@linkplain dev.clientgo.apimachinery.patch.JsonPatch
 * JSON patch} is a list of operations at exact places; it can test a value before it changes it. A
 * {@linkplain dev.clientgo.apimachinery.patch.MergePatch merge patch} has the shape of the object
 * and holds only the differences; it replaces whole arrays. A {@linkplain
 * dev.clientgo.apimachinery.patch.StrategicMergePatch strategic merge patch} can change single
 * elements of arrays, but only of built-in types. An apply patch holds all fields that one manager
 * sets; the server finds the differences.
 *
 * <p>The first three can also be created and applied without a server, on trees of maps and lists
 * such as the content of {@link dev.clientgo.apimachinery.unstructured.Unstructured}:
 *
 * <pre>{@code
 * Map<String, Object> patch = MergePatch.create(before, after);
 * Object same = MergePatch.apply(before, patch); // equals after
 * }</pre>
 */
package dev.clientgo.apimachinery.patch;
