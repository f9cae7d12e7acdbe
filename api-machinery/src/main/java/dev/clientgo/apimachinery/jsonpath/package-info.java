/**
 * JSONPath as kubectl has it.
 *
 * <p>The dialect is Kubernetes' own: paths stand in braces within text, {@code range} and {@code
 * end} repeat what is between them, a dot in a key is escaped by a backslash.
 *
 * <table>
 * <caption>What a path is made of</caption>
 * <tr><td>{@code .name}, {@code ['name']}</td><td>a field</td></tr>
 * <tr><td>{@code [0]}, {@code [-1]}, {@code [1:3]}, {@code [::2]}</td><td>elements</td></tr>
 * <tr><td>{@code [*]}, {@code .*}</td><td>all elements or fields</td></tr>
 * <tr><td>{@code ..name}</td><td>the field, at any depth</td></tr>
 * <tr><td>{@code [0,2]}, {@code ['a','b']}</td><td>several of them</td></tr>
 * <tr><td>{@code [?(@.type=="Ready")]}</td><td>the elements for which it holds</td></tr>
 * <tr><td>{@code @}, {@code $}</td><td>the current value, the root</td></tr>
 * </table>
 *
 * <pre>{@code
 * JsonPath ready = JsonPath.parse("{.status.conditions[?(@.type==\"Ready\")].status}");
 * String status = ready.print(pod); // "True"
 * }</pre>
 */
package dev.clientgo.apimachinery.jsonpath;
