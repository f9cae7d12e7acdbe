/**
 * Server-side apply, seen from the client: which fields of an object belong to whom.
 *
 * <p>Every write to an object makes its writer the <em>manager</em> of the fields that it names,
 * and the server keeps account of that in {@code metadata.managedFields}. Who applies sends all
 * that it wants and nothing else: what it owned before and does not name now is removed, and what
 * another manager owns and it wants otherwise is a conflict. So controllers, people and the server
 * itself can share an object, each with fields of its own.
 *
 * <p>An entry names its fields as {@code fieldsV1}, a tree of steps:
 *
 * <pre>
 * {"f:spec": {"f:containers": {"k:{\"name\":\"web\"}": {".": {}, "f:image": {}}}}}
 * </pre>
 *
 * <p>{@code f:} leads to a field, {@code k:} to the element of a list that has this key, {@code v:}
 * to an element of a set, {@code i:} to a place in a list, and {@code .} says that the place itself
 * is owned, not just what lies behind it. {@link dev.clientgo.apimachinery.managedfields.FieldSet}
 * reads and writes that form.
 *
 * <p>A controller that wants to change a part of what it applied before reads the object, extracts
 * its own share, changes it and applies it again:
 *
 * <pre>{@code
 * Unstructured mine = ManagedFields.extract(Unstructured.CODEC, live, "scaler");
 * Unstructured next = mine.with(5, "spec", "replicas");
 * apply(next, ApplyOptions.of("scaler"));
 * }</pre>
 *
 * <p>{@link dev.clientgo.apimachinery.managedfields.CsaUpgrade} helps those who come from updates
 * or from client-side apply.
 */
package dev.clientgo.apimachinery.managedfields;
