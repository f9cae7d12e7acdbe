package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.internal.forward.ForwardEnd;
import dev.clientgo.remotecommand.internal.forward.ForwardSession;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection that a local port has accepted, and its way to the pod. */
final class ForwardedConnection {

  private static final Logger LOG = System.getLogger(ForwardedConnection.class.getName());

  private static final int BUFFER = 32 * 1024;

  /**
   * How long a client may still send after the pod has ended the connection. The kernel destroys
   * the last bytes of the pod if the connection is closed while unread bytes of the client arrive.
   */
  private static final Duration LINGER = Duration.ofSeconds(5);

  /** How long a pod may be silent that cannot be told that the client has ended. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** Receives what happens to a connection. */
  interface Observer {
    /** The connection to the pod is open. */
    void opened();

    /**
     * The connection has ended.
     *
     * @param error null if it has ended without one, or was closed
     */
    void ended(@Nullable Exception error);
  }

  private final PodConnector connector;
  private final Socket client;
  private final IntOrString port;
  private final Observer observer;
  private final Clock clock;
  private volatile @Nullable Thread thread;
  private volatile @Nullable ForwardSession session;
  private volatile boolean closed;

  /** Whether the client has ended, and a pod that cannot be told so was silent. */
  private volatile boolean abandoned;

  ForwardedConnection(PodConnector connector, Socket client, IntOrString port, Observer observer) {
    this.connector = connector;
    this.client = client;
    this.port = port;
    this.observer = observer;
    this.clock = connector.clock();
  }

  /** Returns the thread of {@link #run}; empty before that has begun. */
  Optional<Thread> thread() {
    return Optional.ofNullable(thread);
  }

  /**
   * Passes on what the client sends, until it has ended. The receiver of the session does the rest.
   */
  void run() {
    Thread reader = Thread.currentThread();
    thread = reader;
    try {
      client.setTcpNoDelay(true);
      ForwardSession opened = connector.open(port);
      session = opened;
      if (closed) {
        opened.close();
        reset();
        return;
      }
      observer.opened();
      opened.start(client.getOutputStream(), end -> ended(end, reader));
      serve(opened);
    } catch (KubernetesException | IOException e) {
      reset();
      reportEnd(e);
    } catch (InterruptedException e) {
      close(); // As the forwarder does it.
    }
  }

  private void serve(ForwardSession opened) throws InterruptedException {
    try {
      InputStream in = client.getInputStream();
      byte[] buffer = new byte[BUFFER];
      for (int read; (read = in.read(buffer)) >= 0; ) {
        send(opened, buffer, read);
      }
      if (opened.canEndOutput()) {
        opened.endOutput();
      } else if (!opened.awaitEndOrSilence(SILENCE)) {
        abandoned = true;
        opened.close();
      }
      opened.await();
    } catch (IOException e) {
      opened.fail(e); // The client has broken the connection, unless this has ended already.
    }
  }

  /** Once the connection has ended, the receiver reports why, and the rest is discarded. */
  private static void send(ForwardSession opened, byte[] bytes, int length) {
    try {
      opened.send(bytes, 0, length);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The pod gets no more of a connection that has ended", e);
    }
  }

  private void ended(ForwardEnd end, Thread reader) {
    Exception error = abandoned ? null : end.error();
    if (error == null) {
      finish(reader);
    } else {
      reset();
    }
    reportEnd(error);
  }

  /** Ends the connection to the client so that it gets all bytes of the pod. */
  private void finish(Thread reader) {
    try {
      client.shutdownOutput();
      clock.join(List.of(reader), LINGER);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The client has ended first", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The forwarder was closed; this thread ends.
    }
    closeClient();
  }

  /** Lets the client see that bytes may be missing. */
  private void reset() {
    try {
      client.setSoLinger(true, 0);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The client has ended first", e);
    }
    closeClient();
  }

  private void closeClient() {
    try {
      client.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Closing the connection of a client failed", e);
    }
  }

  private void reportEnd(@Nullable Exception error) {
    observer.ended(closed ? null : error);
  }

  /** Ends both sides at once. */
  void close() {
    closed = true;
    reset(); // First: the receiver may wait for a client that does not read.
    ForwardSession opened = session;
    Thread opening = thread;
    if (opened != null) {
      opened.close();
    } else if (opening != null) {
      opening.interrupt();
    }
  }
}
