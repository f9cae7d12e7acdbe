/**
 * Configuration, transport and REST clients.
 *
 * <p>Corresponds to client-go's {@code rest}, {@code transport} and {@code tools/clientcmd}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.rest {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.apimachinery;
  requires okhttp3;
  requires static org.bouncycastle.pkix;
  requires static org.bouncycastle.provider;

  exports dev.clientgo.rest;
  exports dev.clientgo.rest.certificates;
  exports dev.clientgo.rest.config;
  exports dev.clientgo.rest.discovery;
  exports dev.clientgo.rest.kubeconfig;
}
