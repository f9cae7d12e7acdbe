/** The controllers of {@code apps/v1}: ReplicaSet, Deployment, StatefulSet and DaemonSet. */
package dev.clientgo.envtest.controllers.internal.workloads;
