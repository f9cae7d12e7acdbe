package dev.clientgo.examples.readme;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.ResourceQuota;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.util.Map;

/** The controller of the README. */
final class TeamQuota {

  static Result reconcile(Request request, Context context) throws InterruptedException {
    var namespace = context.client().resource(Namespace.TYPE).find(request);
    if (namespace.isPresent() && namespace.get().metadata().labels().containsKey("team")) {
      var limits = Map.of("pods", Quantity.of("20"));
      var quota = ResourceQuota.of(request.name(), "team", q -> q.editSpec(s -> s.hard(limits)));
      var quotas = context.client().resource(ResourceQuota.TYPE);
      // Sends nothing if the quota is as it should be.
      quotas.apply(OwnerReferences.setController(quota, namespace.get()));
    }
    return Result.done();
  }

  public static void main(String[] args) throws InterruptedException {
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var manager = Manager.create(client)) {
      var quotas = Controller.builder(TeamQuota::reconcile).named("team-quota");
      manager.add(quotas.forKind(Namespace.TYPE).owns(ResourceQuota.TYPE).build());
      manager.run(); // Until Ctrl-C.
    }
  }
}
