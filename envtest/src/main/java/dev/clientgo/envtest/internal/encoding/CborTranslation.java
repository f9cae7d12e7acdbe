package dev.clientgo.envtest.internal.encoding;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.AcceptClause;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Lets clients speak CBOR to a server that speaks JSON: translates the bodies of their requests and
 * of the responses to them.
 */
public final class CborTranslation {

  private static final String CBOR = "application/cbor";
  private static final String SEQUENCE = "application/cbor-seq";
  private static final String APPLY = "application/apply-patch+cbor";
  private static final String JSON = "application/json";

  /** The first byte of an event that is cut: a map of two fields. */
  private static final byte[] HALF_EVENT = {(byte) 0xA2};

  private CborTranslation() {}

  /** Answers requests in JSON. */
  @FunctionalInterface
  public interface Server {
    /** Answers a request. */
    Response answer(ApiRequest request) throws InterruptedException;
  }

  /**
   * Answers a request in the encoding that its {@code Accept} header prefers.
   *
   * @throws ApiStatusException if it fails, and the client did not ask for CBOR
   */
  public static Response answer(ApiRequest request, Server server) throws InterruptedException {
    if (request.resource().isEmpty() || !prefersCbor(request)) {
      return server.answer(sentInJson(request));
    }
    try {
      return inCbor(server.answer(acceptingJson(sentInJson(request))));
    } catch (ApiStatusException e) {
      return inCbor(Response.of(e));
    }
  }

  private static boolean prefersCbor(ApiRequest request) {
    return AcceptClause.of(request).stream()
        .filter(accept -> accept.isJson() || isCbor(accept))
        .findFirst()
        .filter(CborTranslation::isCbor)
        .isPresent();
  }

  /** Servers print tables in JSON only. */
  private static boolean isCbor(AcceptClause accept) {
    return accept.type().equals(CBOR) && !accept.isTransform("Table", "meta.k8s.io", "v1");
  }

  private static ApiRequest acceptingJson(ApiRequest request) {
    return request.withHeader("Accept", request.header("Accept").orElse(CBOR).replace(CBOR, JSON));
  }

  private static ApiRequest sentInJson(ApiRequest request) {
    return switch (request.contentType()) {
      case CBOR -> request.withBody(json(request.body()), JSON);
      case APPLY -> request.withBody(json(request.body()), Patch.APPLY);
      default -> request;
    };
  }

  private static byte[] json(byte[] cbor) {
    try {
      JsonReader in = JsonReader.ofCbor(cbor, DecodeContext.create());
      RawJson value = in.nextRaw();
      if (in.peek() != JsonReader.Token.END_OF_STREAM) {
        throw in.mismatch("expected the end, found more CBOR");
      }
      return value.toByteArray();
    } catch (CodecException e) {
      throw ApiStatusException.badRequest("the body is not CBOR: " + e.getMessage());
    }
  }

  private static byte[] cbor(byte[] json) {
    return JsonWriter.toCbor(RawJson.CODEC, JsonReader.fromBytes(RawJson.CODEC, json));
  }

  private static Response inCbor(Response response) {
    if (!JSON.equals(response.headers().get("Content-Type"))) {
      return response;
    }
    if (response.body() instanceof Response.Stream events) {
      return new Response(response.code(), response.headers(), new Events(events))
          .with("Content-Type", SEQUENCE);
    }
    if (response.body() instanceof Response.Bytes bytes) {
      Response.Body body = new Response.Bytes(List.of(cbor(joined(bytes.parts()))));
      return new Response(response.code(), response.headers(), body).with("Content-Type", CBOR);
    }
    return response;
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** A watch, whose events are lines of JSON. */
  private record Events(Response.Stream lines) implements Response.Stream {

    @Override
    public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
      lines.writeTo(new LineSink(sink));
    }

    @Override
    public void stop() {
      lines.stop();
    }

    @Override
    public void poke() {
      lines.poke();
    }
  }

  /** Translates each line when it is complete. */
  private static final class LineSink implements Response.Sink {

    private final Response.Sink sink;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineSink(Response.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(byte[] bytes) throws IOException, InterruptedException {
      line.writeBytes(bytes);
      if (bytes.length > 0 && bytes[bytes.length - 1] == '\n') {
        sink.write(cbor(line.toByteArray()));
        line.reset();
      }
    }

    /** A test can make the server send half an event, which is not JSON. */
    @Override
    public void flush() throws IOException {
      if (line.size() > 0) {
        line.reset();
        halfEvent();
      }
      sink.flush();
    }

    private void halfEvent() throws IOException {
      try {
        sink.write(HALF_EVENT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
