package dev.clientgo.conformance;

import java.util.Optional;
import java.util.function.Consumer;

/** A client that asks for nothing. */
record EmptyClient(Consumer<String> lines) implements Client {

  @Override
  public void send(String command) {
    lines.accept("{\"store\":[]}");
  }

  @Override
  public Optional<String> death() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
