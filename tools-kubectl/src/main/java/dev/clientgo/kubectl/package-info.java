/**
 * The verbs of kubectl, for programs.
 *
 * <pre>{@code
 * Manifests manifests = Manifests.read(Path.of("deploy"));
 * ApplyReport report =
 *     Apply.with(client, "my-installer").inNamespace("web").awaitReady(Duration.ofMinutes(2)).run(manifests);
 * report.results().forEach(System.out::println); // deployment.apps/web created
 * report.orThrow();
 * }</pre>
 *
 * <ul>
 *   <li>{@link dev.clientgo.kubectl.Manifests} reads files; {@link dev.clientgo.kubectl.Apply}
 *       applies them, {@link dev.clientgo.kubectl.Delete} deletes them.
 *   <li>{@link dev.clientgo.kubectl.Wait} waits for one object.
 *   <li>{@link dev.clientgo.kubectl.Rollout} follows, restarts, pauses and undoes rollouts; {@link
 *       dev.clientgo.kubectl.Scaler} changes the number of replicas.
 *   <li>{@link dev.clientgo.kubectl.Drain} empties nodes.
 * </ul>
 *
 * <p>All of it takes typed objects and clients as well as {@code Unstructured} ones. All calls
 * block, and end with an {@link InterruptedException} if the thread is interrupted.
 */
package dev.clientgo.kubectl;
