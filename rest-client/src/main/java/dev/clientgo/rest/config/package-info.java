/**
 * The settings of a client, immutable values: server, trust, credentials, and the callbacks for
 * warnings, metrics and rate limits.
 *
 * <pre>{@code
 * RestConfig config =
 *     RestConfig.builder("https://10.0.0.1:6443")
 *         .certificateAuthority(Path.of("/etc/kubernetes/pki/ca.crt"))
 *         .bearerTokenFile(Path.of("/var/run/secrets/token"))
 *         .build();
 * }</pre>
 *
 * <p>{@link dev.clientgo.rest.config.InClusterConfig} reads a configuration from the pod that the
 * program runs in, {@code dev.clientgo.rest.kubeconfig} reads one from a kubeconfig.
 */
package dev.clientgo.rest.config;
