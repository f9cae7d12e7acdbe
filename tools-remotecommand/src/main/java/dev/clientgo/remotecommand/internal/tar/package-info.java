/** Archives of {@code tar}: a reader of all common forms, and a writer of the most common one. */
package dev.clientgo.remotecommand.internal.tar;
