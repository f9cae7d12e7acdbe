/**
 * Mappers from kinds to resources and back.
 *
 * <p>An object has {@code kind: Ingress}, a URL has {@code ingresses}, and a user types {@code
 * ingress}. A {@link dev.clientgo.apimachinery.restmapper.RESTMapper} maps one to the other. The
 * mappers of this package get their tables from the caller; the mappers of the REST client, which
 * consist of these, get them from the server by discovery.
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.restmapper.DefaultRESTMapper} is one table.
 *   <li>{@link dev.clientgo.apimachinery.restmapper.MultiRESTMapper} is the union of several.
 *   <li>{@link dev.clientgo.apimachinery.restmapper.PriorityRESTMapper} chooses among several.
 * </ul>
 *
 * <pre>{@code
 * DefaultRESTMapper mapper =
 *     DefaultRESTMapper.builder(new GroupVersion("networking.k8s.io", "v1"))
 *         .add(ingress, RESTMapping.Scope.NAMESPACE)
 *         .build();
 * GroupVersionResource found = mapper.resourceFor(new GroupVersionResource("", "", "ingress"));
 * RESTMapping mapping = mapper.restMapping(ingress.groupKind()); // where to find ingresses
 * }</pre>
 *
 * <p>If a partial name matches several resources, the order of versions and groups decides. If
 * nothing matches, the mapper throws {@link dev.clientgo.apimachinery.errors.NoMatchException}; if
 * several match and none is preferred, {@link
 * dev.clientgo.apimachinery.errors.AmbiguousMatchException}.
 */
package dev.clientgo.apimachinery.restmapper;
