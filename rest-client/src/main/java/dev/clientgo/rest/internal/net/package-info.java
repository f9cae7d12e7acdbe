/** The way to the server: proxies, sockets and timeouts. */
package dev.clientgo.rest.internal.net;
