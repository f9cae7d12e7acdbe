/** Runs the generator in a Maven build. */
@org.jspecify.annotations.NullMarked
package dev.clientgo.gen.maven;
