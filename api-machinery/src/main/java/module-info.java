/**
 * Kubernetes API machinery: what every client needs before it opens a connection.
 *
 * <p>Corresponds to the Go module {@code k8s.io/apimachinery}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.apimachinery {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.clock;
  requires transitive org.jspecify;
  requires tools.jackson.core;
  requires static tools.jackson.databind;
  requires org.snakeyaml.engine;

  exports dev.clientgo.apimachinery.errors;
  exports dev.clientgo.apimachinery.fields;
  exports dev.clientgo.apimachinery.intstr;
  exports dev.clientgo.apimachinery.json;
  exports dev.clientgo.apimachinery.jsonpath;
  exports dev.clientgo.apimachinery.labels;
  exports dev.clientgo.apimachinery.managedfields;
  exports dev.clientgo.apimachinery.meta;
  exports dev.clientgo.apimachinery.meta.options;
  exports dev.clientgo.apimachinery.meta.table;
  exports dev.clientgo.apimachinery.patch;
  exports dev.clientgo.apimachinery.readiness;
  exports dev.clientgo.apimachinery.resource;
  exports dev.clientgo.apimachinery.restmapper;
  exports dev.clientgo.apimachinery.runtime;
  exports dev.clientgo.apimachinery.schema;
  exports dev.clientgo.apimachinery.serializer;
  exports dev.clientgo.apimachinery.sharding;
  exports dev.clientgo.apimachinery.status;
  exports dev.clientgo.apimachinery.unstructured;
  exports dev.clientgo.apimachinery.validation;
  exports dev.clientgo.apimachinery.wait;
  exports dev.clientgo.apimachinery.watch;
  exports dev.clientgo.apimachinery.yaml;
}
