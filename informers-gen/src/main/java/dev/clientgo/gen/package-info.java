/**
 * Generates Java from the schemas of Kubernetes resources.
 *
 * <p>{@link Generator} reads CRDs and OpenAPI documents and returns a {@link Generation}: the Java
 * files, and a report. The command line and the Maven plugin call it.
 *
 * <pre>
 *   files -&gt; Documents -&gt; Catalog -&gt; ShapeReader -&gt; Layout -&gt; SourceWriter -&gt; Generation
 *   internal.document, internal.schema, internal.shape, internal.model, internal.write
 * </pre>
 *
 * <p>Names depend on the schema of one kind: the types that a CRD nests are nested in its class, so
 * another CRD changes nothing.
 */
package dev.clientgo.gen;
