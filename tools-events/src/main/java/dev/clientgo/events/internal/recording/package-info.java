/**
 * From the call of a recorder to the event on the server: {@link
 * dev.clientgo.events.internal.recording.Occurrence} is the call, {@link
 * dev.clientgo.events.internal.recording.EventSeriesCache} counts repetitions for {@code
 * events.k8s.io/v1}, {@link dev.clientgo.events.internal.recording.CorrelatedEvents} does so for
 * {@code core/v1}.
 */
package dev.clientgo.events.internal.recording;
