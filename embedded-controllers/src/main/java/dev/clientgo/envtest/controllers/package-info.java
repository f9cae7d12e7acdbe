/**
 * The built-in controllers of a cluster, in process, for tests: owners' dependents are collected,
 * namespaces end, deployments get pods.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start();
 *     EmbeddedControllers controllers = EmbeddedControllers.start(server)) {
 *   …
 * }
 * }</pre>
 *
 * <p>Each controller is one small class on {@code controller-runtime}, with the name of the
 * controller upstream whose part it plays: {@code ServiceAccountsController}, {@code
 * GarbageCollector}, {@code NamespaceController}. So they also show how the built-in controllers
 * work. {@link dev.clientgo.envtest.controllers.BuiltInController} lists them.
 *
 * <p>Corresponds to parts of {@code kube-controller-manager}.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.envtest.controllers;
