/**
 * Work queues for controllers.
 *
 * <p>Corresponds to client-go's {@code util/workqueue} and controller-runtime's {@code
 * priorityqueue}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.workqueue {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.clock;
  requires transitive org.jspecify;

  exports dev.clientgo.workqueue;
  exports dev.clientgo.workqueue.metrics;
}
