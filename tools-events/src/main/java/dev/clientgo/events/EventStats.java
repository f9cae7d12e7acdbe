package dev.clientgo.events;

/**
 * What became of the events of an {@link EventBroadcaster} since it was created. Each number only
 * grows, so a metrics library can export it as a counter.
 *
 * @param recorded the calls of recorders
 * @param sent the requests that the server has accepted; repetitions need few or none
 * @param dropped the events that found the queue full, or the broadcaster closed
 * @param filtered the events that the spam filter of {@code core/v1} held back
 * @param failed the events that are invalid, that the server has refused, or that could not be sent
 */
public record EventStats(long recorded, long sent, long dropped, long filtered, long failed) {}
