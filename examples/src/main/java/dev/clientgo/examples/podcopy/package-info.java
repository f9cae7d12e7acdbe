/** Copies files to and from a pod: whole trees, through broken connections, and what fails. */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.podcopy;
