/**
 * Records events: what a controller did with an object and why, for people who run {@code kubectl
 * describe}.
 *
 * <pre>{@code
 * try (EventBroadcaster broadcaster = EventBroadcaster.create(client)) {
 *   EventRecorder events = broadcaster.recorder("foo-controller");
 *   events.normal(foo, "Created", "CreateDeployment", "created the deployment %s", name);
 *   events.warning(foo, "InvalidSpec", "Validate", "spec.replicas must not be negative");
 * }
 * }</pre>
 *
 * <ul>
 *   <li>An {@link dev.clientgo.events.EventRecorder} takes events; it never blocks and never
 *       throws.
 *   <li>An {@link dev.clientgo.events.EventBroadcaster} makes recorders and sends their events. It
 *       counts repetitions, so that a controller that fails every second does not flood the server.
 *   <li>A {@link dev.clientgo.events.FakeRecorder} keeps events for a test.
 *   <li>{@link dev.clientgo.events.ObjectReferences} and {@link
 *       dev.clientgo.events.EventFieldSelector} refer to objects and find their events.
 * </ul>
 *
 * <p>Corresponds to client-go's {@code tools/events}, {@code tools/record} and {@code
 * tools/reference}.
 */
package dev.clientgo.events;
