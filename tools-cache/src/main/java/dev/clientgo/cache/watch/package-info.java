/**
 * Watches that an informer makes: {@link dev.clientgo.cache.watch.InformerWatch} shows the changes
 * of a collection as events and survives the loss of its connection, {@link
 * dev.clientgo.cache.watch.UntilWithSync} waits until a collection meets conditions.
 *
 * <p>Corresponds to the parts of client-go's {@code tools/watch} that use an informer.
 */
package dev.clientgo.cache.watch;
