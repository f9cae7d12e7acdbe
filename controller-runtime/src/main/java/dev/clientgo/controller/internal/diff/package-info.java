/** The fields that differ between two states of an object. */
package dev.clientgo.controller.internal.diff;
