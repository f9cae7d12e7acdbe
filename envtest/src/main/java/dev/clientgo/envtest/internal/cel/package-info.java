/** Rules and conditions in CEL. Needs {@code dev.cel:cel}, which only one class here uses. */
package dev.clientgo.envtest.internal.cel;
