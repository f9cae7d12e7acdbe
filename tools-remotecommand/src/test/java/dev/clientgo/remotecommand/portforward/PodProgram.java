package dev.clientgo.remotecommand.portforward;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A program that listens at a port of the pod, which is a port of this machine. */
final class PodProgram implements AutoCloseable {

  /** Serves one connection. */
  interface Service {
    void serve(Socket client) throws Exception;
  }

  private final ServerSocket listener;
  private final Service service;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  PodProgram(Service service) throws IOException {
    this.service = service;
    this.listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  /** Sends back what it gets, until the client has ended. */
  static PodProgram echo() throws IOException {
    return new PodProgram(client -> client.getInputStream().transferTo(client.getOutputStream()));
  }

  static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "pod-program");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /**
   * Returns a port at which nothing listens. It is below those that the system gives to sockets of
   * its choice, so no other test gets it meanwhile.
   */
  static int unusedPort() throws IOException {
    for (long i = ProcessHandle.current().pid(); ; i++) {
      int port = 20_000 + (int) (i % 10_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException e) {
        // Another program has it.
      }
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (true) {
      try {
        Socket client = listener.accept();
        open.add(client);
        daemon(() -> serve(client));
      } catch (IOException e) {
        return; // Closed.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      service.serve(client);
    } catch (Exception e) {
      // The client is gone.
    } finally {
      synchronized (open) {
        open.remove(client);
        open.notifyAll();
      }
    }
  }

  /** Waits until all connections have ended; the test has a timeout. */
  void awaitNoConnections() throws InterruptedException {
    synchronized (open) {
      while (!open.isEmpty()) {
        open.wait();
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket client : open) {
      client.close();
    }
  }
}
