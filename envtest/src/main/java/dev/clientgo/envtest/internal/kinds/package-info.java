/** The kinds that the server serves: the built-in ones and those of CustomResourceDefinitions. */
package dev.clientgo.envtest.internal.kinds;
