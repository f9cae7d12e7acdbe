package dev.clientgo.simulation.bugs;

import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSetup;

/** A bug of a reconciler on the runtime. It is called for changes of shops and of their secrets. */
abstract class ReconcilerBug extends BugAndTwin {

  abstract Result bug(Request request, Context context) throws Exception;

  abstract Result twin(Request request, Context context) throws Exception;

  @Override
  ControllerSetup buggy() {
    return setup(this::bug);
  }

  @Override
  ControllerSetup correct() {
    return setup(this::twin);
  }

  static ControllerSetup setup(Reconciler reconciler) {
    return process ->
        process.run(
            Controller.builder(reconciler)
                .named("shops")
                .forKind(ConfigMap.TYPE)
                .owns(Secret.TYPE)
                .build());
  }

  static CachedResource<ConfigMap> shops(Context context) {
    return context.client().resource(ConfigMap.TYPE).inNamespace(Shop.NAMESPACE);
  }

  static CachedResource<Secret> secrets(Context context) {
    return context.client().resource(Secret.TYPE).inNamespace(Shop.NAMESPACE);
  }
}
