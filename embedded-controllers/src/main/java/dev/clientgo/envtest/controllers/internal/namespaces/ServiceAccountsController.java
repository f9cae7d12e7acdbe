package dev.clientgo.envtest.controllers.internal.namespaces;

import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import java.util.function.Function;

/**
 * Creates the service account {@code default} in each namespace, and again if it is deleted. Pods
 * without an account of their own run under it.
 *
 * <p>Corresponds to {@code ServiceAccountsController} in {@code pkg/controller/serviceaccount}.
 */
public final class ServiceAccountsController implements Reconciler {

  private static final String DEFAULT = "default";

  private ServiceAccountsController() {}

  /** Returns the controller. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controllers) {
    return controllers
        .apply(new ServiceAccountsController())
        .forKind(Namespace.TYPE)
        .watches(ServiceAccount.TYPE, NamespaceRequests.of(DEFAULT))
        .build();
  }

  @Override
  public Result reconcile(Request request, Context context) throws InterruptedException {
    if (NamespaceRequests.isActive(request, context)) {
      CachedResource<ServiceAccount> accounts =
          context.client().resource(ServiceAccount.TYPE).inNamespace(request.name());
      if (accounts.find(DEFAULT).isEmpty()) {
        accounts.create(ServiceAccount.of(request.name(), DEFAULT, account -> {}));
      }
    }
    return Result.done();
  }
}
