/** Ports, certificates and kubeconfigs: the ways to reach a server. */
package dev.clientgo.envtest.internal.access;
