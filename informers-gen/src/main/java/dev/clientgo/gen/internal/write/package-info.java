/** Writes the Java of a class. */
package dev.clientgo.gen.internal.write;
