package dev.clientgo.envtest.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * A program of a container, written as a function. Each {@code exec} and each {@code attach} runs
 * it from its beginning.
 *
 * <p>If the client goes away, the thread of the program is interrupted, its input fails, and its
 * output fails. The program must then end.
 */
@FunctionalInterface
public interface ContainerProgram {

  /**
   * Runs the program.
   *
   * @return the exit code, from 0 to 255
   * @throws Exception if the container runtime cannot run the program; the client gets an error
   *     with this message, and no exit code
   */
  int run(Io io) throws Exception;

  /** Returns a program that ends at once with an exit code. */
  static ContainerProgram exits(int code) {
    return io -> code;
  }

  /** Returns a program that prints a text and succeeds. */
  static ContainerProgram prints(String text) {
    return io -> {
      io.print(text);
      return 0;
    };
  }

  /** Returns a program that copies its input to its output, as {@code cat} does. */
  static ContainerProgram echo() {
    return io -> {
      io.stdin().transferTo(io.stdout());
      return 0;
    };
  }

  /** Returns a program that a signal ends; by convention its exit code is 128 plus the signal. */
  static ContainerProgram killedBy(int signal) {
    return exits(128 + signal);
  }

  /** Returns a program that the container runtime cannot run, as if it did not exist. */
  static ContainerProgram fails(String message) {
    return io -> {
      throw new IOException(message);
    };
  }

  /** Returns a program that breaks the connection, so that the client never learns an exit code. */
  static ContainerProgram cuts() {
    return io -> {
      io.cut();
      return 0;
    };
  }

  /**
   * Returns a program that runs the command of {@code exec} as a process of this machine, of the
   * user of the test. It has no real terminal: with one, its error output joins its output. {@code
   * attach} has no command, and fails.
   */
  static ContainerProgram localProcess() {
    return io ->
        LocalProcess.run(io.command(), io.isTerminal(), io.stdin(), io.stdout(), io.stderr());
  }

  /**
   * A run of a program as the program sees it: its command and its streams. Safe for use by the
   * threads of the program.
   */
  interface Io {

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
}
