/** Values that a user may write into the fields of a kind, by the schema of its definition. */
package dev.clientgo.simulation.internal.values;
