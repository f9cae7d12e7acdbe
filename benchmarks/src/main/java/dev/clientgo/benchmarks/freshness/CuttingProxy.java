package dev.clientgo.benchmarks.freshness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy of the loopback interface that breaks all its connections now and then. */
final class CuttingProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  CuttingProxy(int target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::acceptAll);
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Breaks all connections at random times for a while, and returns how often it did. */
  int cut(double meanSeconds, long seconds) throws InterruptedException {
    Random random = new Random(1);
    long end = System.nanoTime() + seconds * 1_000_000_000;
    int cuts = 0;
    while (true) {
      long nanos = (long) (-Math.log(1 - random.nextDouble()) * meanSeconds * 1e9);
      long left = end - System.nanoTime();
      if (nanos > left) {
        Thread.sleep(Math.max(0, left / 1_000_000));
        return cuts;
      }
      Thread.sleep(nanos / 1_000_000);
      sockets.forEach(CuttingProxy::closeQuietly);
      cuts++;
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listener.accept();
        client.setTcpNoDelay(true);
        sockets.add(client);
        start(() -> connect(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void connect(Socket client) {
    try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      server.setTcpNoDelay(true);
      sockets.add(server);
      start(() -> copy(server, client));
      copy(client, server);
    } catch (IOException e) {
      closeQuietly(client);
    } finally {
      sockets.remove(client);
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[16 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
      }
    } catch (IOException e) {
      // Cut, by this proxy or by an end.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    sockets.forEach(CuttingProxy::closeQuietly);
  }
}
