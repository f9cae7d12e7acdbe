package dev.clientgo.envtest.controllers;

import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import java.util.List;

/**
 * Creates the service account {@code default} in each namespace, and again if it is deleted. Pods
 * without an account of their own run under it.
 *
 * <p>Corresponds to {@code ServiceAccountsController} in {@code pkg/controller/serviceaccount}.
 */
final class ServiceAccountsController implements Reconciler {

  private static final String DEFAULT = "default";

  private ServiceAccountsController() {}

  static List<Controller> create(ControllerSetup setup) {
    return List.of(
        setup
            .controller(new ServiceAccountsController())
            .forKind(Namespace.TYPE)
            .watches(ServiceAccount.TYPE, NamespaceRequests.of(DEFAULT))
            .build());
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
