/** The streams of one command, which share a WebSocket: {@code v5.channel.k8s.io}. */
package dev.clientgo.remotecommand.internal.channel;
