package dev.clientgo.envtest.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * A run of a {@link ContainerProgram} as the program sees it: its command and its streams. Safe for
 * use by the threads of the program.
 */
public interface ContainerIo {

  /** Receives the size of the terminal. */
  @FunctionalInterface
  interface ResizeListener {
    /** The terminal has this size from now on. */
    void resized(int columns, int rows);
  }

  /** Returns the namespace of the pod. */
  String namespace();

  /** Returns the name of the pod. */
  String pod();

  /** Returns the name of the container. */
  String container();

  /** Returns the program and its arguments; empty for {@code attach}. */
  List<String> command();

  /** Returns the input. It ends at once if the client sends none. */
  InputStream stdin();

  /**
   * Returns the output. Each write is sent at once, and waits while the client does not read. The
   * output is discarded if the client does not want it.
   */
  OutputStream stdout();

  /** Returns the error output. With a terminal it is the output. */
  OutputStream stderr();

  /** Returns whether the client wants a terminal. */
  boolean isTerminal();

  /** Registers a listener for the size of the terminal, and calls it with the present size. */
  void onResize(ResizeListener listener);

  /** Breaks the connection at once, without an exit code. */
  void cut();

  /** Writes a text to the output. */
  default void print(String text) throws IOException {
    stdout().write(text.getBytes(UTF_8));
  }
}
