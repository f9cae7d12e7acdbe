/**
 * Certificates and keys of servers: read from PEM files, or issued by an authority of a test.
 *
 * <p>Corresponds to Go's {@code tls.X509KeyPair} and to {@code envtest}'s {@code TinyCA}.
 */
package dev.clientgo.rest.certificates;
