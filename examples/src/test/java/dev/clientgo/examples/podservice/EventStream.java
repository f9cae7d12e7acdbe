package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

/** Reads server-sent events, as a browser does. */
final class EventStream implements AutoCloseable {

  private final BufferedReader lines;

  /** An event; the id is empty if it has none. */
  record Event(String id, String type, Unstructured data) {

    String name() {
      return type + " " + data.metadata().name();
    }
  }

  private EventStream(BufferedReader lines) {
    this.lines = lines;
  }

  /** Opens a stream, from the event with that id on if it is not empty. */
  static EventStream open(HttpClient http, String url, String lastEventId) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .contains("text/event-stream; charset=utf-8");
    return new EventStream(new BufferedReader(new InputStreamReader(response.body(), UTF_8)));
  }

  /** Returns the next event, or empty at the end of the stream. */
  Optional<Event> next() throws IOException {
    String id = "";
    String type = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id: ")) {
        id = line.substring("id: ".length());
      } else if (line.startsWith("event: ")) {
        type = line.substring("event: ".length());
      } else if (line.startsWith("data: ")) {
        String data = line.substring("data: ".length());
        return Optional.of(new Event(id, type, Unstructured.parseYaml(data).get(0)));
      }
    }
    return Optional.empty();
  }

  /** Returns the next event; there is one. */
  Event take() throws IOException {
    return next().orElseThrow();
  }

  /** Returns the next event of that type; a deletion comes behind the mark that it is to happen. */
  Event await(String type) throws IOException {
    Event event = take();
    while (!event.type.equals(type)) {
      event = take();
    }
    return event;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
