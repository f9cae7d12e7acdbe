/** The merge patch of an edit, which keeps the fields that a type does not know. */
package dev.clientgo.rest.internal.edit;
