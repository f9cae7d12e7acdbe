package dev.clientgo.envtest.controllers.internal.services;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServiceType;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Keeps something for each service that selects pods, and looks at it again when the service or a
 * pod of its namespace has changed.
 */
abstract class ServiceController implements Reconciler {

  private final Controller controller;

  /**
   * Creates the controller.
   *
   * @param controllers returns the builder of a controller
   * @param watches adds other kinds to watch
   */
  ServiceController(
      Function<Reconciler, ControllerBuilder> controllers,
      UnaryOperator<ControllerBuilder> watches) {
    ControllerBuilder builder =
        controllers
            .apply(this)
            .forKind(Service.TYPE)
            .watches(
                Pod.TYPE,
                pod -> List.of(new Request(String.valueOf(pod.metadata().namespace()), "")));
    controller = watches.apply(builder).build();
  }

  final Controller controller() {
    return controller;
  }

  /** Reconciles a service, or all services of a namespace if the request has no name. */
  @Override
  public final Result reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<Service> services =
        context.client().resource(Service.TYPE).inNamespace(request.namespace());
    if (request.name().isEmpty()) {
      services.list().forEach(service -> controller.enqueue(Request.of(service)));
      return Result.done();
    }
    Optional<Service> found = services.find(request.name());
    if (found.isEmpty()) {
      gone(request, context);
    } else if (selectsPods(found.get()) && !found.get().metadata().isBeingDeleted()) {
      sync(found.get(), podsOf(found.get(), context), context);
    }
    return Result.done();
  }

  /** Brings about what the service should have. */
  abstract void sync(Service service, List<Pod> pods, Context context) throws InterruptedException;

  /** Called for a service that does not exist. */
  void gone(Request request, Context context) throws InterruptedException {}

  private static boolean selectsPods(Service service) {
    return !service.spec().selector().isEmpty()
        && !ServiceType.EXTERNAL_NAME.equals(service.spec().type());
  }

  private static List<Pod> podsOf(Service service, Context context) throws InterruptedException {
    return context
        .client()
        .resource(Pod.TYPE)
        .inNamespace(String.valueOf(service.metadata().namespace()))
        .list(Selector.of(service.spec().selector()))
        .stream()
        .sorted(Comparator.comparing(pod -> String.valueOf(pod.metadata().name())))
        .toList();
  }
}
