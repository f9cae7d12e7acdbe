package dev.clientgo.envtest.controllers.internal.namespaces;

import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.PemSource;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the certificate of the cluster's authority in the ConfigMap {@code kube-root-ca.crt} of
 * each namespace, where pods find it. If the server speaks plain HTTP, the certificate is empty.
 *
 * <p>Corresponds to {@code Publisher} in {@code pkg/controller/certificates/rootcacertpublisher}.
 */
public final class RootCertificatePublisher implements Reconciler {

  private static final String NAME = "kube-root-ca.crt";
  private static final String DESCRIPTION = "kubernetes.io/description";
  private static final String TEXT =
      "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
          + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage"
          + " is guaranteed across distributions of Kubernetes clusters.";

  private final String certificate;

  private RootCertificatePublisher(String certificate) {
    this.certificate = certificate;
  }

  /** Returns the controller, which publishes the authority that the client trusts. */
  public static Controller create(
      Function<Reconciler, ControllerBuilder> controllers, RESTClient client) {
    @Nullable PemSource authority = client.config().certificateAuthority();
    String certificate =
        authority == null
            ? ""
            : new String(authority.read("certificate authority"), StandardCharsets.UTF_8);
    return controllers
        .apply(new RootCertificatePublisher(certificate))
        .forKind(Namespace.TYPE)
        .watches(ConfigMap.TYPE, NamespaceRequests.of(NAME))
        .build();
  }

  @Override
  public Result reconcile(Request request, Context context) throws InterruptedException {
    if (NamespaceRequests.isActive(request, context)) {
      context
          .client()
          .resource(ConfigMap.TYPE)
          .createOrUpdate(
              ConfigMap.of(request.name(), NAME, map -> {}),
              map ->
                  map.with(
                      m ->
                          m.data(Map.of("ca.crt", certificate))
                              .editMetadata(
                                  meta ->
                                      meta.editAnnotations(all -> all.put(DESCRIPTION, TEXT)))));
    }
    return Result.done();
  }
}
