/**
 * Recorders of events: short notes, attached to an object, about what a controller did with it.
 *
 * <p>Corresponds to client-go's {@code tools/events} and {@code tools/record}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.events {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.kubernetes;

  exports dev.clientgo.events;
  exports dev.clientgo.events.correlation;
}
