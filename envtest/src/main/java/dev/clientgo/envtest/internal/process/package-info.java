/** The processes of a real kube-apiserver and its etcd. */
package dev.clientgo.envtest.internal.process;
