package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.examples.lesson.LocalLesson;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.SimulatedRun;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;

/** Lesson 12 of the guide: a controller dies between two writes. */
@Command(
    name = "simulation",
    description =
        "Lets a controller die between two writes, in simulated time, prints what becomes of it,"
            + " with its bug and without, and ends.")
public final class SimulationLesson extends LocalLesson {

  /** The process dies after its first write was sent, before the answer comes. */
  private static final String PLAN = "0+crash-after-write:1";

  /** Kept, because a logger that nothing refers to forgets its level. */
  private static final Logger LOGS = Logger.getLogger("dev.clientgo");

  /** The command line parser calls this. */
  public SimulationLesson() {}

  @Override
  protected void run(PrintWriter out) {
    Level before = LOGS.getLevel();
    LOGS.setLevel(Level.OFF); // The history of a failure has all that matters.
    try {
      print("The second secret is made with the first", SimulationLesson::hasty, out);
      print("Each secret is looked for", SimulationLesson::careful, out);
    } finally {
      LOGS.setLevel(before);
    }
  }

  private static void print(String title, Reconciler reconciler, PrintWriter out) {
    out.println("== " + title);
    SimulatedRun run = simulation(reconciler).replay(PLAN);
    out.println(run.describe().strip());
  }

  private static ControllerSimulation simulation(Reconciler reconciler) {
    return ControllerSimulation.of(
            process -> process.run(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build()))
        .step(
            "create the shop",
            client ->
                client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "shop", m -> {})));
  }

  private static Result hasty(Request request, Context context) throws InterruptedException {
    var secrets = context.client().resource(Secret.TYPE).inNamespace(request.namespace());
    Optional<ConfigMap> shop = context.client().resource(ConfigMap.TYPE).find(request);
    if (shop.isPresent() && secrets.find("password").isEmpty()) {
      secrets.create(secret(shop.get(), "password"));
      secrets.create(secret(shop.get(), "certificate"));
    }
    return Result.done();
  }

  private static Result careful(Request request, Context context) throws InterruptedException {
    var secrets = context.client().resource(Secret.TYPE).inNamespace(request.namespace());
    Optional<ConfigMap> shop = context.client().resource(ConfigMap.TYPE).find(request);
    for (String name : List.of("password", "certificate")) {
      if (shop.isPresent() && secrets.find(name).isEmpty()) {
        secrets.create(secret(shop.get(), name));
      }
    }
    return Result.done();
  }

  private static Secret secret(ConfigMap shop, String name) {
    return OwnerReferences.setController(
        Secret.of(ObjectName.of(shop).namespace(), name, secret -> {}), shop);
  }
}
