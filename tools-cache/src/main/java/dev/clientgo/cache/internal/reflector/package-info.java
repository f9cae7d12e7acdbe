/**
 * The states of a {@link dev.clientgo.cache.Reflector}, which joins them: it reads the collection
 * as a stream ({@link dev.clientgo.cache.internal.reflector.ReflectorWatchList}) or as a list
 * ({@link dev.clientgo.cache.internal.reflector.ReflectorList}), and then follows its changes
 * ({@link dev.clientgo.cache.internal.reflector.ReflectorWatch}).
 *
 * <p>The states share the version up to which the collection has been read ({@link
 * dev.clientgo.cache.internal.reflector.ReflectorPosition}), the open watch ({@link
 * dev.clientgo.cache.internal.reflector.CurrentWatch}), the waits, the health, and the shard. They
 * know neither stores nor informers: requests go to functions, and what they read comes back as an
 * {@link dev.clientgo.cache.internal.reflector.InitialList} or goes to {@link
 * dev.clientgo.cache.internal.reflector.WatchEvents}.
 */
package dev.clientgo.cache.internal.reflector;
