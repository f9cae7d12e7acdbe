/**
 * Reads and changes kubeconfigs, the files in which {@code kubectl} keeps clusters and users.
 *
 * <pre>{@code
 * RestConfig config = KubeConfigLoader.builder().context("staging").build().load();
 * }</pre>
 *
 * <p>Corresponds to client-go's {@code tools/clientcmd}.
 */
package dev.clientgo.rest.kubeconfig;
