/** Templates of Java: gaps are filled, classes imported, long lines broken. */
package dev.clientgo.gen.internal.source;
