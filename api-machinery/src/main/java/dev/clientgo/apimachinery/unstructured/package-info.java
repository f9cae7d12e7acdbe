/**
 * Objects whose type is not known at compile time.
 *
 * <p>A tool that works on any resource, or on one for which no types were generated, reads {@link
 * dev.clientgo.apimachinery.unstructured.Unstructured}: typed metadata, and a tree of maps, lists
 * and scalars for the rest. It is a value like any other object here. A look-up names a path and
 * says what it expects; an edit gives a new object:
 *
 * <pre>{@code
 * Unstructured ship = Unstructured.parse(json);
 * long masts = ship.nestedLong("spec", "masts").orElse(0L);
 * Unstructured refitted = ship.with(masts + 1, "spec", "masts").without("status");
 * }</pre>
 *
 * <p>Nothing of the object is lost on the way through: fields of the metadata that are not known
 * here, explicit nulls, and numbers of any length stay as they were.
 */
package dev.clientgo.apimachinery.unstructured;
