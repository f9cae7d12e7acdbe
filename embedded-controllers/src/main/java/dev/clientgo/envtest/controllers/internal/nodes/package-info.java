/** The part of a cluster that runs pods, by a script: a scheduler and a kubelet. */
package dev.clientgo.envtest.controllers.internal.nodes;
