/**
 * Simulation tests of controllers. A controller runs with its real informers, queues and client
 * against the embedded API server, in one process, by a simulated clock. A seed decides which
 * thread runs next and how long each request takes; a plan adds faults, such as a crash after the
 * third write. The same seed and plan always lead to the same run.
 *
 * <pre>{@code
 * SimulationResult result =
 *     ControllerSimulation.of(
 *             process -> {
 *               Manager manager = process.manager().build();
 *               manager.add(Controller.builder(process.observed(reconciler)).forKind(Foo.TYPE).build());
 *               manager.start();
 *             })
 *         .step("create a foo", client -> client.resource(Foo.TYPE).create(foo))
 *         .run();
 * result.assertPassed();
 * }</pre>
 *
 * <p>The faults and the comparison with a run without faults follow Sieve (OSDI 2022).
 */
package dev.clientgo.simulation;
