/** TLS: trusted certificates, PEM, private keys, and the OkHttp clients that use them. */
package dev.clientgo.rest.internal.tls;
