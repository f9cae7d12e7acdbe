/**
 * The names of API types and resources.
 *
 * <p>Kubernetes names a <em>type</em> by group, version and kind ({@code apps/v1, Kind=Deployment})
 * and the <em>place</em> where a server serves it by group, version and resource ({@code apps/v1,
 * Resource=deployments}). An object has the first in {@code apiVersion} and {@code kind}; a URL has
 * the second. A RESTMapper converts one to the other.
 *
 * <pre>{@code
 * GroupVersionKind kind = GroupVersion.parse("apps/v1").withKind("Deployment");
 * GroupVersionResource resource = new GroupVersionResource("apps", "v1", "deployments");
 * }</pre>
 *
 * <p>All types here are immutable values.
 */
package dev.clientgo.apimachinery.schema;
