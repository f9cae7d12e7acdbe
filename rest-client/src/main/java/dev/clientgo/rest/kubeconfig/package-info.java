/** Kubeconfigs: the files in which {@code kubectl} and its kin keep clusters and users. */
package dev.clientgo.rest.kubeconfig;
