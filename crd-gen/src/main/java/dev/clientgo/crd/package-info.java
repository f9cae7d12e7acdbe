/**
 * Makes definitions of custom resources (CRDs) from Java types, and finds what a new definition
 * breaks.
 *
 * <p>{@link CustomResourceDefinitions} reads records with the annotations of this package. {@link
 * CrdDiff} compares two definitions. The command line calls both.
 *
 * <pre>
 *   records -&gt; KindReader -&gt; SchemaReader -&gt; Markers -&gt; CustomResourceDefinitions
 * </pre>
 */
package dev.clientgo.crd;
