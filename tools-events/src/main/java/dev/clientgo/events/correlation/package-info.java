/**
 * Keeps events of {@code core/v1} from flooding the server.
 *
 * <p>{@link dev.clientgo.events.correlation.EventCorrelator} does three things with each event:
 *
 * <ol>
 *   <li><b>aggregate</b>: once ten events that differ only in their message stand within ten
 *       minutes, they become one event, whose message begins with {@code (combined from similar
 *       events): };
 *   <li><b>count</b>: an event that was there before becomes a patch of its count;
 *   <li><b>filter</b>: a source may say 25 things about an object, and one more every five minutes.
 * </ol>
 *
 * <p>A program meets this package only if it changes those numbers, by {@link
 * dev.clientgo.events.correlation.CorrelatorOptions}. Corresponds to the file {@code
 * events_cache.go} of client-go's {@code tools/record}.
 */
package dev.clientgo.events.correlation;
