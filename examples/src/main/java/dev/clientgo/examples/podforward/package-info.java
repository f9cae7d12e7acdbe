/**
 * A port of a pod: reached without a local port, through a local port, and after connections broke.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.podforward;
