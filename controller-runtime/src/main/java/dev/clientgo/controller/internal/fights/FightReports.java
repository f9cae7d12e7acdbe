package dev.clientgo.controller.internal.fights;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.internal.events.EventRecorders;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Reports fights over fields: in the log, in a metric, by an event, and to the program. */
public final class FightReports implements BiConsumer<FieldFight, KubernetesObject> {

  private static final Logger LOG = System.getLogger("dev.clientgo.controller.Controller");

  private final MetricsRegistry metrics;
  private final EventRecorders events;
  private final Consumer<FieldFight> listener;

  /** Creates an instance, which reports also to the listener of the program. */
  public FightReports(
      MetricsRegistry metrics, EventRecorders events, Consumer<FieldFight> listener) {
    this.metrics = metrics;
    this.events = events;
    this.listener = listener;
  }

  @Override
  public void accept(FieldFight fight, KubernetesObject object) {
    String text = fight.toString();
    CrashLog.log(LOG, Level.WARNING, text, null);
    metrics
        .counter(
            new Metric(
                "controller_runtime_field_fights_total",
                "Fields that two writers have changed again and again",
                Map.of("resource", fight.resource())))
        .run();
    guard(
        "The recorder of events",
        () -> events.recorder("fight-detector").warning(object, "FieldFight", "Reconcile", text));
    guard("The listener of fights over fields", () -> listener.accept(fight));
  }

  /** An Error too: the thread delivers the events of an informer, and keeps its interrupt flag. */
  private static void guard(String callback, Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, callback + " has failed", e);
    }
  }
}
