package dev.clientgo.conformance;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A program with an informer, which speaks the protocol of {@code clients/PROTOCOL.md}. */
interface Client extends AutoCloseable {

  /** Starts clients. */
  interface Launcher {

    /**
     * Starts a client.
     *
     * @param arguments the URL of the server, and options
     * @param lines receives each line that the client prints
     */
    Client start(List<String> arguments, Consumer<String> lines);
  }

  /** Sends a command. */
  void send(String command);

  /** Returns why the program has ended; empty while it runs. */
  Optional<String> death();

  @Override
  void close();
}
