/** Conversion of custom resources between the versions of their kind. */
package dev.clientgo.envtest.internal.conversion;
