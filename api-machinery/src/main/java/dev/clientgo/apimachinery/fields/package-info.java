/**
 * Choosing objects by the values of some of their fields.
 *
 * <p>Where labels do not help, because what matters is not on a label, a server can choose by a
 * field: the pods of one node, the events about one object, the one object of a name. Only a few
 * fields of each resource can be asked for, and only whether they have a value or have another:
 *
 * <pre>{@code
 * Selector selector = Selector.parse("spec.nodeName=node-1,status.phase!=Succeeded");
 * ListOptions options = ListOptions.builder().fieldSelector(selector.toString()).build();
 *
 * Selector one = Selector.equal("metadata.name", "web"); // escapes the value as needed
 * }</pre>
 *
 * <p>A {@link dev.clientgo.apimachinery.fields.Selector} here does not know the fields of an
 * object; {@link dev.clientgo.apimachinery.fields.Selector#matches} is given them as a map. For
 * choosing by labels, see {@link dev.clientgo.apimachinery.labels}.
 */
package dev.clientgo.apimachinery.fields;
