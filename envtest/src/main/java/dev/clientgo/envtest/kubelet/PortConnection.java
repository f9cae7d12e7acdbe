package dev.clientgo.envtest.kubelet;

import java.io.InputStream;
import java.io.OutputStream;

/** A connection to a port of a pod, as the program behind the port sees it. */
public interface PortConnection {

  /** Returns the namespace of the pod. */
  String namespace();

  /** Returns the name of the pod. */
  String pod();

  /** Returns the port. */
  int port();

  /** Returns the bytes from the client. It ends when the client has closed its half. */
  InputStream inputStream();

  /** Returns the stream to the client. Each write is sent at once. Closing it ends this half. */
  OutputStream outputStream();
}
