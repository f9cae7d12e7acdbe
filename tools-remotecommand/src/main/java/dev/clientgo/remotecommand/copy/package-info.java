/**
 * Files and directory trees to and from containers, as {@code kubectl cp}.
 *
 * <p>{@link dev.clientgo.remotecommand.copy.PodCopy} runs {@code tar} in the container, and packs
 * and unpacks archives here.
 */
package dev.clientgo.remotecommand.copy;
