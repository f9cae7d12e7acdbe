/** The fields that objects of a kind may have, their constraints, and how lists and maps merge. */
package dev.clientgo.envtest.internal.schema;
