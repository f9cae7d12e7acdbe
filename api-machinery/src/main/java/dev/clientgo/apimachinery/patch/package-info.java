/**
 * Changes to objects, as values.
 *
 * <p>The API server takes four kinds of patches. A {@linkplain
 * dev.clientgo.apimachinery.patch.JsonPatch JSON patch} is a list of operations at exact places and
 * can test before it changes. A {@linkplain dev.clientgo.apimachinery.patch.MergePatch merge patch}
 * has the shape of the object and says only what differs; arrays are replaced as a whole. A
 * strategic merge patch knows which arrays are sets keyed by a field, but only for built-in types.
 * An apply patch says all that one manager wants, and the server works out the rest.
 *
 * <p>The first two can also be made and applied here, on trees of maps and lists as {@link
 * dev.clientgo.apimachinery.unstructured.Unstructured} has them:
 *
 * <pre>{@code
 * Map<String, Object> patch = MergePatch.create(before, after);
 * Object same = MergePatch.apply(before, patch); // equals after
 * }</pre>
 */
package dev.clientgo.apimachinery.patch;
