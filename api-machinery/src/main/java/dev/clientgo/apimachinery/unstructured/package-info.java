/**
 * Objects whose type is not known at compile time.
 *
 * <p>A tool that works on any resource, or on one for which no types were generated, reads {@link
 * dev.clientgo.apimachinery.unstructured.Unstructured}: typed metadata, and a tree of maps, lists
 * and scalars for the rest. It is immutable, like all objects of this library. A look-up names a
 * path and the expected type; an edit returns a new object:
 *
 * <pre>{@code
 * Unstructured ship = Unstructured.parse(json);
 * long masts = ship.nestedLong("spec", "masts").orElse(0L);
 * Unstructured refitted = ship.with(masts + 1, "spec", "masts").without("status");
 * }</pre>
 *
 * <p>Reading and writing an object loses nothing: unknown fields of the metadata, explicit nulls,
 * and numbers of any length stay unchanged.
 */
package dev.clientgo.apimachinery.unstructured;
