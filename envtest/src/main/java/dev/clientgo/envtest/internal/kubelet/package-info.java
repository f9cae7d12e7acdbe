/** Serves commands, logs and ports of containers, as a kubelet does, and speaks their protocols. */
package dev.clientgo.envtest.internal.kubelet;
