package dev.clientgo.examples.website;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Service;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Makes the objects of a Website like what the Website asks for, and reports how far they are. */
final class WebsiteReconciler implements Reconciler {

  /** The finalizer: the site is in the registry, or may be. */
  static final String FINALIZER = "web.example.com/registry";

  /** How long to wait for a person to rename an object that is in the way. */
  private static final Duration NAME_TAKEN_RETRY = Duration.ofMinutes(1);

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
    try {
      WebsiteChildren children = WebsiteChildren.of(site);
      apply(site, ConfigMap.TYPE, children.pages(), ConfigMap::data, context);
      apply(site, Service.TYPE, children.service(), Service::spec, context);
      Deployment servers =
          apply(site, Deployment.TYPE, children.servers(), Deployment::spec, context);
      registry.add(context.client(), ObjectName.of(site), url(site));
      int ready = WebsiteStatus.orZero(servers.status().readyReplicas());
      report(site, WebsiteStatus.of(servers), ready, context);
      return Result.done();
    } catch (NameTakenException e) {
      fail(site, "NameTaken", e, context);
      return Result.requeueAfter(NAME_TAKEN_RETRY); // No watch shows when the name is free.
    } catch (ApiStatusException e) {
      if (!e.isConflict()) {
        fail(site, "ServerRefused", e, context);
      }
      throw e; // The controller tries again, later each time.
    }
  }

  /**
   * Creates an object or changes it back, and records an event if that was needed.
   *
   * @param content reads what the operator sets, to tell whether it has changed
   */
  private <T extends KubernetesObject> T apply(
      Website site, ResourceType<T> type, T wanted, Function<T, Object> content, Context context)
      throws InterruptedException, NameTakenException {
    CachedResource<T> resource = context.client().resource(type);
    Optional<T> before = resource.find(Request.of(wanted));
    if (before.isPresent() && !OwnerReferences.isControlledBy(before.get(), site)) {
      throw new NameTakenException(type.kind().kind() + " " + ObjectName.of(wanted));
    }
    T after = resource.apply(wanted); // Sends nothing if the object is as wanted.
    String kind = type.kind().kind();
    if (before.isEmpty()) {
      context.events().normal(site, "Created", "Create" + kind, "created the %s", kind);
    } else if (!content.apply(before.get()).equals(content.apply(after))) {
      context.events().normal(site, "Updated", "Update" + kind, "updated the %s", kind);
    }
    return after;
  }

  private void fail(Website site, String reason, Exception error, Context context)
      throws InterruptedException {
    String message = String.valueOf(error.getMessage());
    context.events().warning(site, reason, "Reconcile", "%s", message);
    int ready = WebsiteStatus.orZero(site.status().readyReplicas());
    report(site, WebsiteStatus.failed(reason, message), ready, context);
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

  /** An object of the name that the operator needs is there, and is not of the Website. */
  private static final class NameTakenException extends Exception {

    private static final long serialVersionUID = 1;

    NameTakenException(String object) {
      super(object + " is there already, and is not of this Website: rename one of them");
    }
  }
}
