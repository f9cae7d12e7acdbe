/**
 * Containers of the embedded server: the programs that {@code exec} and {@code attach} run, logs
 * and ports.
 *
 * <pre>{@code
 * server.kubelet().runPod("default", "web-0", "app");
 * server.kubelet().container("app", io -> {
 *   io.print("hello " + io.command().get(1));
 *   return 0;
 * });
 * server.kubelet().log("default", "web-0", "app").line("started");
 * server.kubelet().port(8080, PortProgram.echo());
 * }</pre>
 */
package dev.clientgo.envtest.kubelet;
