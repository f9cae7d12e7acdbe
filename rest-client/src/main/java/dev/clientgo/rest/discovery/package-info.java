/**
 * Discovery of a server's groups, versions and resources, and of the schemas of its objects.
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
 * <p>If an aggregated API server is down, its versions are failures in the result; the rest of the
 * result is complete.
 *
 * <p>Corresponds to client-go's {@code discovery}, {@code restmapper}, {@code openapi} and {@code
 * openapi3}.
 */
package dev.clientgo.rest.discovery;
