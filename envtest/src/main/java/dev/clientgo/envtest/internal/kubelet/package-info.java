/** What a kubelet serves: commands, logs and ports of containers, and their protocols. */
package dev.clientgo.envtest.internal.kubelet;
