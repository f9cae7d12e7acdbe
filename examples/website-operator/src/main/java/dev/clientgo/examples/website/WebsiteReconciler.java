package dev.clientgo.examples.website;

import static dev.clientgo.examples.website.WebsiteStatus.orZero;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.ChildrenResult;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import java.util.Optional;

/** Makes the objects of a Website like what the Website asks for, and reports how far they are. */
final class WebsiteReconciler implements Reconciler {

  /** The finalizer: the site is in the registry, or may be. */
  static final String FINALIZER = "web.example.com/registry";

  private final SiteRegistry registry;
  private final FinalizerSet<Website> finalizers;

  WebsiteReconciler(SiteRegistry registry) {
    this.registry = registry;
    finalizers = FinalizerSet.of(Website.TYPE, FINALIZER, this::unregister);
  }

  @Override
  public Result reconcile(Request request, Context context) throws Exception {
    return finalizers.reconcile(request, context, this::bringAbout);
  }

  /** Runs before the Website is deleted. The garbage collector deletes what it owns. */
  private Result unregister(Website site, Context context) throws InterruptedException {
    registry.remove(context.client(), ObjectName.of(site));
    context.events().normal(site, "Unregistered", "Unregister", "removed from the registry");
    return Result.done();
  }

  private Result bringAbout(Website site, Context context) throws InterruptedException {
    WebsiteChildren wanted = WebsiteChildren.of(site);
    ChildrenResult children =
        context.children(site).apply(wanted.pages(), wanted.service(), wanted.servers());
    Optional<Deployment> servers = children.find(wanted.servers());
    int ready = servers.map(d -> orZero(d.status().readyReplicas())).orElse(0);
    if (!children.failed().isEmpty()) {
      report(site, WebsiteStatus.of(children.failed().get(0)), ready, context);
      children.orThrow(); // The controller tries again, later each time.
    }
    registry.add(context.client(), ObjectName.of(site), url(site));
    report(site, WebsiteStatus.of(servers), ready, context);
    return Result.done();
  }

  /** Writes the status, if it differs from that of the Website. */
  private void report(Website site, WebsiteStatus status, int readyReplicas, Context context)
      throws InterruptedException {
    Long generation = site.metadata().generation();
    context
        .client()
        .resource(Website.TYPE)
        .editStatus(site, current -> status.in(current, generation, url(site), readyReplicas));
  }

  /** Returns the address of a site: its host, or that of the Service. */
  static String url(Website site) {
    ObjectName name = ObjectName.of(site);
    String host = site.spec().host();
    return "http://" + (host == null ? name.name() + "." + name.namespace() + ".svc" : host) + "/";
  }
}
