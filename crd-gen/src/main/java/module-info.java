/** Makes definitions of custom resources from records, and compares definitions. */
@org.jspecify.annotations.NullMarked
module dev.clientgo.crd {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.apimachinery;
  requires transitive org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires info.picocli;

  exports dev.clientgo.crd;

  opens dev.clientgo.crd.cli to
      info.picocli;
}
