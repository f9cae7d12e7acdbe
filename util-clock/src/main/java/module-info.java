/**
 * The clock and the threads of the library, and help with interruption.
 *
 * <p>Corresponds to {@code k8s.io/utils/clock}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.clock {
  requires static com.google.errorprone.annotations;
  requires transitive org.jspecify;

  exports dev.clientgo.clock;
}
