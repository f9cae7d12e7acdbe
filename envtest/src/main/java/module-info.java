/**
 * API servers for tests and first steps: one that runs in process, and the real kube-apiserver.
 *
 * <p>Corresponds to controller-runtime's {@code envtest}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.envtest {
  requires static com.google.errorprone.annotations;
  requires static transitive dev.clientgo.cache;
  requires static transitive org.junit.jupiter.api;
  requires transitive dev.clientgo.rest;
  requires mockwebserver3;
  requires okhttp3;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires org.snakeyaml.engine;

  exports dev.clientgo.envtest;
  exports dev.clientgo.envtest.junit;
  exports dev.clientgo.envtest.kubelet;
  exports dev.clientgo.envtest.traffic;
}
