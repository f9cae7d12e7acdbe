/**
 * Informers: a local, indexed, always up-to-date copy of a collection of the API server.
 *
 * <p>Corresponds to client-go's {@code tools/cache} and {@code informers}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.cache {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.apimachinery;

  exports dev.clientgo.cache;
  exports dev.clientgo.cache.metrics;
  exports dev.clientgo.cache.synctrack;
}
