/** Traces of reconciles and their requests. */
@org.jspecify.annotations.NullMarked
module dev.clientgo.opentelemetry {
  requires transitive dev.clientgo.controller;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;

  exports dev.clientgo.opentelemetry;
}
