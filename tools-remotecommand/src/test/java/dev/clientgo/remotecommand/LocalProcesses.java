package dev.clientgo.remotecommand;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs commands as processes of this machine, in the pod {@code default/p}. */
final class LocalProcesses implements FakeKubelet.Script {

  /** The exit code of a program that SIGKILL has ended. */
  private static final int KILLED = 128 + 9;

  private final String protocol;
  private final @Nullable Path tools;

  LocalProcesses(String protocol) {
    this(protocol, null);
  }

  /**
   * Creates a script.
   *
   * @param tools the folder of the programs, null for those of this machine
   */
  LocalProcesses(String protocol, @Nullable Path tools) {
    this.protocol = protocol;
    this.tools = tools;
  }

  @Override
  public void handle(FakeKubelet.Connection connection) throws Exception {
    String path = connection.url().encodedPath();
    if (!path.equals("/api/v1/namespaces/default/pods/p/exec")) {
      connection.respond(
          404,
          "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404,\"message\":\"pods"
              + " not found\"}");
      return;
    }
    if (!"c".equals(connection.url().queryParameter("container"))
        && connection.url().queryParameter("container") != null) {
      connection.respond(
          400,
          "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"BadRequest\",\"code\":400,\"message\":\"container"
              + " not valid\"}");
      return;
    }
    connection.upgrade(protocol);
    connection.stdout("");
    List<String> command = connection.url().queryParameterValues("command");
    Process process;
    try {
      process = start(command);
    } catch (IOException e) {
      connection.status(
          "{\"status\":\"Failure\",\"reason\":\"InternalError\",\"code\":500,\"message\":\"exec: executable file"
              + " not found in $PATH\"}");
      return;
    }
    Thread output = copy(process.getInputStream(), connection, 1);
    Thread error = copy(process.getErrorStream(), connection, 2);
    AtomicReference<IOException> lost = new AtomicReference<>();
    Thread input = new Thread(() -> input(process, connection, lost));
    input.start();
    output.join();
    error.join();
    int exitCode = process.waitFor();
    if (exitCode == KILLED && lost.get() != null) {
      // As a kubelet: whoever may still listen gets no exit code that the program did not choose.
      System.out.println(command + " was killed, exit code " + exitCode + ": " + lost.get());
      throw lost.get();
    }
    connection.exit(exitCode);
  }

  private Process start(List<String> command) throws IOException {
    if (tools == null) {
      return new ProcessBuilder(command).start();
    }
    List<String> words = new ArrayList<>(command);
    words.set(0, tools.resolve(command.get(0)).toString());
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("PATH", tools.toString());
    return builder.start();
  }

  private static Thread copy(InputStream in, FakeKubelet.Connection connection, int channel) {
    Thread thread =
        new Thread(
            () -> {
              byte[] buffer = new byte[32 * 1024];
              try (in) {
                for (int read; (read = in.read(buffer)) >= 0; ) {
                  connection.send(channel, Arrays.copyOf(buffer, read));
                }
              } catch (IOException e) {
                // The client is gone.
              }
            });
    thread.start();
    return thread;
  }

  private static void input(
      Process process, FakeKubelet.Connection connection, AtomicReference<IOException> lost) {
    try (OutputStream stdin = process.getOutputStream()) {
      while (true) {
        FakeKubelet.Message message = connection.read();
        if (message.channel() == 0) {
          stdin.write(message.bytes());
          stdin.flush();
        } else if (message.channel() == 255) {
          return;
        }
      }
    } catch (IOException e) {
      // The client is gone, or the process does not read.
      lost.set(e);
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
