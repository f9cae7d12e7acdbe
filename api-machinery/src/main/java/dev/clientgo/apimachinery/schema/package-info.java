/**
 * The names of API types and resources.
 *
 * <p>Kubernetes names a <em>type</em> by group, version and kind ({@code apps/v1, Kind=Deployment})
 * and the <em>place</em> where a server serves it by group, version and resource ({@code apps/v1,
 * Resource=deployments}). The first is what an object says of itself in {@code apiVersion} and
 * {@code kind}; the second is what a URL is made of. A RESTMapper turns one into the other.
 *
 * <pre>{@code
 * GroupVersionKind kind = GroupVersion.parse("apps/v1").withKind("Deployment");
 * GroupVersionResource resource = new GroupVersionResource("apps", "v1", "deployments");
 * }</pre>
 *
 * <p>All types here are immutable values.
 */
package dev.clientgo.apimachinery.schema;
