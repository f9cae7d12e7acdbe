package dev.clientgo.envtest.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A connection that speaks another protocol than HTTP. One thread reads, others may write. */
public interface UpgradedSocket {

  /** Returns the bytes from the client. */
  InputStream inputStream();

  /** Returns the stream to the client, which holds bytes back until it is flushed. */
  OutputStream outputStream();

  /** Sends what was written, and signals to the client that no more comes. */
  void endOutput() throws IOException;

  /** Calls back when the connection is closed, or at once if it is closed already. */
  void onGone(Runnable callback);

  /** Breaks the connection at once. */
  void cut();
}
