/** The WebSocket protocol, RFC 6455, as a client. */
package dev.clientgo.remotecommand.internal.websocket;
