package dev.clientgo.envtest.kubelet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Runs a command as a process of this machine. */
final class LocalProcess {

  private LocalProcess() {}

  static int run(
      List<String> command,
      boolean terminal,
      InputStream stdin,
      OutputStream stdout,
      OutputStream stderr)
      throws IOException, InterruptedException {
    if (command.isEmpty()) {
      throw new IOException("a local process has no main process to attach to");
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(terminal).start();
    Thread input = copier("stdin", () -> copyInput(stdin, process.getOutputStream()));
    // Threads of their own read: closing the server interrupts this one, which kills the process.
    Thread output = copier("stdout", () -> copy(process.getInputStream(), stdout));
    Thread error = copier("stderr", () -> copy(process.getErrorStream(), stderr));
    try {
      input.start();
      output.start();
      error.start();
      output.join();
      error.join();
      return process.waitFor();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      input.interrupt();
    }
  }

  private static Thread copier(String stream, Runnable task) {
    Thread thread = new Thread(task, "envtest-process-" + stream);
    thread.setDaemon(true);
    return thread;
  }

  private static void copyInput(InputStream in, OutputStream stdin) {
    try (stdin) {
      byte[] buffer = new byte[16 * 1024];
      for (int read; (read = in.read(buffer)) >= 0; ) {
        stdin.write(buffer, 0, read);
        stdin.flush(); // The stream of a process is buffered.
      }
    } catch (IOException e) {
      // The process has ended without reading its input, or the client has disconnected.
    }
  }

  private static void copy(InputStream in, OutputStream out) {
    try {
      in.transferTo(out);
    } catch (IOException e) {
      // The client has disconnected, which the thread of the output notices too.
    }
  }
}
