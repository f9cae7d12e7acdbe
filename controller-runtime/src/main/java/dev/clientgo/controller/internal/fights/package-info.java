/** Finds fields that two writers fight over. */
package dev.clientgo.controller.internal.fights;
