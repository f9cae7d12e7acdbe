/**
 * The examples of the guide in {@code docs/guide}: each prints what happens inside, and ends. A
 * test compares the pages with what the examples print.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.guide;
