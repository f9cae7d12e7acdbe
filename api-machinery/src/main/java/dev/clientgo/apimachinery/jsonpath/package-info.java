/**
 * JSONPath in the dialect of kubectl.
 *
 * <p>A template is text with paths in braces. {@code range} and {@code end} repeat the part between
 * them; a backslash escapes a dot in a key.
 *
 * <table>
 * <caption>The parts of a path</caption>
 * <tr><td>{@code .name}, {@code ['name']}</td><td>a field</td></tr>
 * <tr><td>{@code [0]}, {@code [-1]}, {@code [1:3]}, {@code [::2]}</td><td>elements</td></tr>
 * <tr><td>{@code [*]}, {@code .*}</td><td>all elements or fields</td></tr>
 * <tr><td>{@code ..name}</td><td>the field, at any depth</td></tr>
 * <tr><td>{@code [0,2]}, {@code ['a','b']}</td><td>several elements or fields</td></tr>
 * <tr><td>{@code [?(@.type=="Ready")]}</td><td>the elements for which the condition holds</td></tr>
 * <tr><td>{@code @}, {@code $}</td><td>the current value, the root</td></tr>
 * </table>
 *
 * <pre>{@code
 * JsonPath ready = JsonPath.parse("{.status.conditions[?(@.type==\"Ready\")].status}");
 * String status = ready.print(pod); // "True"
 * }</pre>
 */
package dev.clientgo.apimachinery.jsonpath;
