package dev.clientgo.benchmarks.informer;

import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Asks the server of these benchmarks to change objects. */
final class StormRequest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private StormRequest() {}

  /**
   * Has the server change so many objects, and waits for the events.
   *
   * @param rate how many a second; 0 for as many as it can
   */
  static EventRecorder.Storm send(RESTClient client, EventRecorder<?> recorder, int count, int rate)
      throws InterruptedException {
    EventRecorder.Storm storm = recorder.expect(count);
    Request request =
        client
            .post()
            .absPath("control", "storm")
            .param("count", Integer.toString(count))
            .param("rate", Integer.toString(rate));
    // The answer comes when all is sent; as a stream, it may take any time.
    try (InputStream answer = request.stream()) {
      answer.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!storm.await(PATIENCE)) {
      System.err.println("expected " + count + " events, got " + storm.count());
    }
    return storm;
  }
}
