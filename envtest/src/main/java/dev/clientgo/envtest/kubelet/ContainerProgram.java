package dev.clientgo.envtest.kubelet;

import java.io.IOException;

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
  int run(ContainerIo io) throws Exception;

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
    return LocalProcess::run;
  }
}
