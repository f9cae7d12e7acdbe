/**
 * Selectors of objects by their labels.
 *
 * <p>A label is a key with a value on an object, as in {@code app=web}. Objects in Kubernetes find
 * each other by labels: a Service finds its pods, a Deployment its ReplicaSets, a user all parts of
 * a release. A {@link dev.clientgo.apimachinery.labels.Selector} is a list of {@linkplain
 * dev.clientgo.apimachinery.labels.Requirement requirements}, all of which an object must meet:
 *
 * <pre>{@code
 * Selector selector = Selector.parse("app=web,tier in (cache,db),!canary");
 * boolean selected = selector.matches(labels);
 * ListOptions options = ListOptions.builder().labelSelector(selector.toString()).build();
 * }</pre>
 *
 * <table>
 *   <caption>The textual form</caption>
 *   <tr><th>text</th><th>an object meets it if</th></tr>
 *   <tr><td>{@code k=v}, {@code k==v}</td><td>it has the label, with this value</td></tr>
 *   <tr><td>{@code k!=v}</td><td>it does not have the label, or with another value</td></tr>
 *   <tr><td>{@code k in (v,w)}</td><td>it has the label, with one of these values</td></tr>
 *   <tr><td>{@code k notin (v,w)}</td>
 *     <td>it does not have the label, or with none of these values</td></tr>
 *   <tr><td>{@code k}</td><td>it has the label</td></tr>
 *   <tr><td>{@code !k}</td><td>it does not have the label</td></tr>
 *   <tr><td>{@code k>1}, {@code k<1}</td><td>it has the label, with such a number</td></tr>
 * </table>
 *
 * <p>Objects hold selectors in a second form: {@link dev.clientgo.apimachinery.meta.LabelSelector}.
 * {@link
 * dev.clientgo.apimachinery.labels.Selector#of(dev.clientgo.apimachinery.meta.LabelSelector)}
 * converts it. In that form, an absent selector selects nothing, and an empty one selects
 * everything.
 */
package dev.clientgo.apimachinery.labels;
