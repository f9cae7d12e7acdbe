/** The threads of an informer, and its timers. */
package dev.clientgo.cache.internal.threads;
