/**
 * Generates Java from the schemas of Kubernetes resources.
 *
 * <p>The input is read into trees that know where they stand ({@code Node}), from which the
 * resources are taken ({@code Resource}). A schema is reduced to its {@code Shape}: what matters
 * for Java, so that equal structures become one class. {@code Layout} gives every shape a class and
 * a file, and the writers write it.
 *
 * <pre>
 *   files -> Documents -> Catalog -> ShapeReader -> Layout -> writers -> Generation
 * </pre>
 *
 * <p>Names are a function of the schema of one kind: what is nested in a CRD is nested in its
 * class, so that adding another CRD changes nothing.
 */
package dev.clientgo.gen;
