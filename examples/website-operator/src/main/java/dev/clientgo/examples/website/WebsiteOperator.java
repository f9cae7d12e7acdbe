package dev.clientgo.examples.website;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ManagerBuilder;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import java.net.InetSocketAddress;

/** The operator: its controller, its leader election and its pages. */
final class WebsiteOperator {

  /** The name of the operator, its Lease, its field manager and the label of what it makes. */
  static final String NAME = "website-operator";

  private WebsiteOperator() {}

  /** Returns a manager with the controller of Websites, which is not started. */
  static Manager manager(RESTClient client, Settings settings) {
    return manager(
        Manager.builder(client)
            .http(new InetSocketAddress(settings.httpPort()))
            .metricsBindAddress(new InetSocketAddress(settings.metricsPort())),
        settings);
  }

  /** Returns a manager made by a builder, which has the client; a simulation has its own. */
  static Manager manager(ManagerBuilder builder, Settings settings) {
    Manager manager =
        builder
            .leaderElection(
                LeaseLock.of(settings.namespace(), NAME),
                election ->
                    election
                        .leaseDuration(settings.leaseDuration())
                        .renewDeadline(settings.leaseDuration().multipliedBy(2).dividedBy(3))
                        .retryPeriod(settings.leaseDuration().dividedBy(8)))
            .informers(
                factory ->
                    factory.configure(
                        ConfigMap.TYPE,
                        informer -> informer.transform(WebsiteOperator::withoutForeignData)))
            .build();
    manager.add(
        Controller.builder(new WebsiteReconciler(new SiteRegistry(settings.namespace())))
            .named(NAME)
            // A status that this controller has written needs no reconcile.
            .forKind(Website.TYPE, Predicate.generationChanged())
            .owns(ConfigMap.TYPE)
            .owns(Deployment.TYPE)
            .owns(Service.TYPE)
            .workers(4)
            .warmUp(true)
            .cacheSyncTimeout(settings.cacheSyncTimeout())
            .build());
    return manager;
  }

  /** Keeps the data of ConfigMaps that are not the operator's out of its memory. */
  private static ConfigMap withoutForeignData(ConfigMap map) {
    return NAME.equals(map.metadata().labels().get(WebsiteChildren.MANAGED_BY))
        ? map
        : map.with(m -> m.data(null).binaryData(null));
  }
}
