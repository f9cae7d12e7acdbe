/**
 * Server-side apply, seen from the client: the managers of fields of an object.
 *
 * <p>Every write to an object makes its writer the <em>manager</em> of the fields that it names,
 * and the server records this in {@code metadata.managedFields}. A manager that applies sends all
 * fields that it wants to set, and no others. The server removes the fields that the manager owned
 * before and omits now, and answers with a conflict if the request changes a field of another
 * manager. So controllers, people and the server can share an object, each with its own fields.
 *
 * <p>An entry names its fields as {@code fieldsV1}, a tree of steps:
 *
 * <pre>
 * {"f:spec": {"f:containers": {"k:{\"name\":\"web\"}": {".": {}, "f:image": {}}}}}
 * </pre>
 *
 * <p>{@code f:} leads to a field, {@code k:} to the element of a list that has this key, {@code v:}
 * to an element of a set, {@code i:} to a place in a list, and {@code .} marks that the manager
 * owns the place itself, not only fields below it. {@link
 * dev.clientgo.apimachinery.managedfields.FieldSet} reads and writes that form.
 *
 * <p>A controller that changes a part of its configuration reads the object, extracts its own
 * fields, changes them and applies them again:
 *
 * <pre>{@code
 * Unstructured mine = ManagedFields.extract(Unstructured.CODEC, live, "scaler");
 * Unstructured next = mine.with(5, "spec", "replicas");
 * apply(next, ApplyOptions.of("scaler"));
 * }</pre>
 */
package dev.clientgo.apimachinery.managedfields;
