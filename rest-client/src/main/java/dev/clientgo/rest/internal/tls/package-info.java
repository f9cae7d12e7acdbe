/** TLS of clients: trusted certificates, own certificates, and the OkHttp clients with them. */
package dev.clientgo.rest.internal.tls;
