/** The metrics of controllers in a Micrometer registry. */
@org.jspecify.annotations.NullMarked
module dev.clientgo.controller.micrometer {
  requires transitive dev.clientgo.controller;
  requires transitive micrometer.core;

  exports dev.clientgo.controller.micrometer;
}
