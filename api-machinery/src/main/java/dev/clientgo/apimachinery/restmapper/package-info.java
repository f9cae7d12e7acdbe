/**
 * From kinds to resources and back.
 *
 * <p>An object says {@code kind: Ingress}; a URL says {@code ingresses}. A person types {@code
 * ing}. A {@link dev.clientgo.apimachinery.restmapper.RESTMapper} knows the table. The ones here
 * work on tables that they are given; what a server serves is learnt through discovery, by the
 * mappers of the REST client, which are made of these.
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.restmapper.DefaultRESTMapper} is one table.
 *   <li>{@link dev.clientgo.apimachinery.restmapper.MultiRESTMapper} is the union of several.
 *   <li>{@link dev.clientgo.apimachinery.restmapper.FirstHitRESTMapper} takes the first that knows.
 *   <li>{@link dev.clientgo.apimachinery.restmapper.PriorityRESTMapper} chooses where several fit.
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
 * <p>A partial name may fit several resources, of which the one is chosen that the order of
 * versions and groups prefers. Nothing that fits is a {@link
 * dev.clientgo.apimachinery.errors.NoMatchException}, and several between which nothing decides are
 * an {@link dev.clientgo.apimachinery.errors.AmbiguousMatchException}.
 */
package dev.clientgo.apimachinery.restmapper;
