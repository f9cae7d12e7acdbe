/** Generates typed models, clients, informers and listers from CRDs and OpenAPI documents. */
@org.jspecify.annotations.NullMarked
module dev.clientgo.gen {
  requires static com.google.errorprone.annotations;
  requires transitive org.jspecify;
  requires dev.clientgo.apimachinery;
  requires dev.clientgo.rest;
  requires info.picocli;
  requires java.compiler;
  requires org.snakeyaml.engine;
  requires tools.jackson.core;

  exports dev.clientgo.gen;
  exports dev.clientgo.gen.report;

  opens dev.clientgo.gen.cli to
      info.picocli;
}
