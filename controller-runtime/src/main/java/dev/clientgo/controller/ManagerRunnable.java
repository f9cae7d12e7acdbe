package dev.clientgo.controller;

/**
 * Work that a program does beside its reconciles, such as a cleaner, a reporter or a server. A
 * {@link Manager} runs it in a separate thread.
 *
 * <pre>{@code
 * manager.add("cleaner", client -> cleanUp(client)); // Only where the process leads.
 * manager.addEverywhere("api", client -> serve(client)); // In each process.
 * }</pre>
 *
 * <p>If {@link #run} returns, the work is done. If it throws, the manager logs and counts that, and
 * calls it again after a second, then after twice as long each time, up to a minute. After three
 * failures in a row the process is not {@linkplain ManagerBuilder#http ready}; a run that lasts ten
 * minutes ends the row.
 *
 * <p>Corresponds to controller-runtime's {@code manager.Runnable} and {@code
 * LeaderElectionRunnable}. Unlike there, an error does not end the manager.
 */
@FunctionalInterface
public interface ManagerRunnable {

  /**
   * Does the work. It must end when its thread is interrupted: at the end of the manager, and of
   * the leadership.
   *
   * @param client the client of the manager: of one that needs leadership, it writes only while
   *     this process leads
   * @throws InterruptedException if the thread is interrupted
   */
  void run(Client client) throws InterruptedException;
}
