/**
 * What a server serves: its groups, versions and resources, and the schemas of its objects.
 *
 * <pre>{@code
 * DiscoveryClient discovery = DiscoveryClient.of(client);
 * ServerResources served = discovery.serverGroupsAndResources();
 * served.failures().forEach((version, failure) -> log(version + ": " + failure.message()));
 *
 * RESTMapper mapper = DeferredDiscoveryRESTMapper.of(MemCacheClient.of(discovery));
 * mapper.kindFor(new GroupVersionResource("", "", "deployments")); // apps/v1, Deployment
 * }</pre>
 *
 * <p>A server answers for others, too: an aggregated API whose server is down is a failure beside
 * the rest, and never an exception in the way of it.
 *
 * <p>Corresponds to client-go's {@code discovery}, {@code restmapper}, {@code openapi} and {@code
 * openapi3}.
 */
package dev.clientgo.rest.discovery;
