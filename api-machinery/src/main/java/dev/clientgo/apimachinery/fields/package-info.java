/**
 * Selectors of objects by the values of some of their fields.
 *
 * <p>A server can select objects by a field where no label holds the value: the pods of one node,
 * the events about one object, the one object of a name. It supports only a few fields of each
 * resource, and only whether they have a value or a different one:
 *
 * <pre>{@code
 * FieldSelector selector = FieldSelector.parse("spec.nodeName=node-1,status.phase!=Succeeded");
 * ListOptions options = ListOptions.builder().fieldSelector(selector.toString()).build();
 *
 * FieldSelector one = FieldSelector.equal("metadata.name", "web"); // escapes the value as needed
 * }</pre>
 *
 * <p>A {@link dev.clientgo.apimachinery.fields.FieldSelector} does not know the fields of an
 * object; {@link dev.clientgo.apimachinery.fields.FieldSelector#matches} takes them as a map. To
 * select by labels, see {@link dev.clientgo.apimachinery.labels}.
 */
package dev.clientgo.apimachinery.fields;
