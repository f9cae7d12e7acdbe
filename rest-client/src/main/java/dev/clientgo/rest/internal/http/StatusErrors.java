package dev.clientgo.rest.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.Serializer;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import okhttp3.MediaType;
import org.jspecify.annotations.Nullable;

/** Turns error responses into exceptions. */
public final class StatusErrors {

  /** The most characters of a text that is not a status in a message. */
  public static final int MAX_TEXT = 2048;

  /** The most characters of a web page in a message. */
  private static final int MAX_WORDS = 200;

  /** The response of a TLS server written in Go to plain HTTP. */
  private static final String GO_SPEAKS_TLS = "Client sent an HTTP request to an HTTPS server";

  private static final String NO_PATH = " is not a path of the server";

  private static final String NOT_INSTALLED =
      ": is the resource installed, and is this version of it served?";

  private static final Set<String> VAGUE =
      Set.of(
          "the server could not find the requested resource",
          "the server does not allow this method on the requested resource");

  private static final String NO_NAMESPACE =
      " If the resource lives in namespaces, say in which one.";

  private static final String HTML = "text/html";

  private static final String JSON = "application/json";

  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  /** The first bytes of a status in protobuf. */
  private static final byte[] STATUS_ENVELOPE = "k8s\0\n\f\n\2v1\22\6Status".getBytes(UTF_8);

  private static final FieldNames KIND = FieldNames.of("kind");

  /** The kind of a status; servers write it without escapes. */
  private static final byte[] STATUS = "\"Status\"".getBytes(UTF_8);

  private StatusErrors() {}

  /**
   * Checks that a response is a success and not a status with a failure.
   *
   * @throws ApiStatusException if it is an error
   */
  public static void check(RequestTarget request, HttpResponse response, byte[] body) {
    if (!response.isSuccess()) {
      throw of(request, response, body);
    }
    Optional<Status> status = status(response, body);
    if (status.isPresent() && !"Success".equals(status.get().status())) {
      throw new ApiStatusException(status.get());
    }
  }

  /** Returns the error of a response: the status in its body, or one made from its code. */
  public static ApiStatusException of(RequestTarget request, HttpResponse response, byte[] body) {
    ApiStatusException error =
        status(response, body)
            .filter(status -> "Failure".equals(status.status()))
            .map(status -> located(new ApiStatusException(status), request, response))
            .orElseGet(() -> generic(request, response, body));
    return response.code() == 401 ? with(error, ": " + request.sender()) : error;
  }

  /** Adds the path and what may be missing in it, which a server does not name. */
  private static ApiStatusException located(
      ApiStatusException error, RequestTarget request, HttpResponse response) {
    if (!VAGUE.contains(error.getMessage())) {
      return error;
    }
    return with(error, " (" + response.describe() + ")" + missing(request, response));
  }

  /**
   * Returns what may be missing if a server does not have a path. Below a proxy path, an
   * application responds in its own words, so nothing is added.
   */
  private static String missing(RequestTarget request, HttpResponse response) {
    String install =
        response.code() == 404 && !request.isProxy() && request.isResource() ? NOT_INSTALLED : "";
    return request.lacksNamespace()
        ? install + (install.isEmpty() ? "." : "") + NO_NAMESPACE
        : install;
  }

  private static ApiStatusException with(ApiStatusException error, String hint) {
    return new ApiStatusException(
        error.status().toBuilder().message(error.getMessage() + hint).build());
  }

  private static ApiStatusException generic(
      RequestTarget request, HttpResponse response, byte[] body) {
    ApiStatusException error =
        ApiStatusException.genericServerResponse(
            response.code(),
            request.verb(),
            request.groupResource(),
            request.objectName(),
            text(response, body),
            (int) response.retryAfter().map(Duration::toSeconds).orElse(0L).longValue(),
            true);
    Optional<String> hint = hint(response, body);
    if (hint.isPresent()) {
      return with(error, ": " + response.describe() + ": " + hint.get());
    }
    if (request.groupResource().resource().isEmpty()) {
      return with(error, " (" + response.describe() + ")");
    }
    return response.code() == 404 && !request.isProxy()
        ? with(error, ": " + response.describe() + NO_PATH + missing(request, response))
        : error;
  }

  /** Returns the likely cause if the responder is not an API server. */
  private static Optional<String> hint(HttpResponse response, byte[] body) {
    String location = response.header("Location");
    if (location != null && response.code() / 100 == 3) {
      return Optional.of(
          "it redirects to "
              + withoutQuery(location)
              + ", which is not followed; is the server"
              + " URL right?");
    }
    if (new String(body, UTF_8).startsWith(GO_SPEAKS_TLS)) {
      return Optional.of("it speaks TLS: use an https URL");
    }
    String type = response.header("Content-Type");
    // Unlike client-go: the status of the server stays and does not become 500.
    Optional<String> noType = noMediaType(type);
    return noType.isEmpty() && isHtml(type) ? Optional.of(webPage(body)) : noType;
  }

  private static Optional<String> noMediaType(@Nullable String contentType) {
    return contentType == null
            || contentType.equals(JSON) // Saves the parsing.
            || contentType.equals(PROTOBUF)
            || MediaType.parse(contentType) != null
        ? Optional.empty()
        : Optional.of("its Content-Type is not a media type: " + shortened(contentType));
  }

  /**
   * Checks that a Content-Type is a media type or absent.
   *
   * @throws ApiStatusException with the reason InternalError, as in client-go, if it is not
   */
  public static void checkMediaType(@Nullable String contentType, Supplier<String> origin) {
    noMediaType(contentType)
        .ifPresent(
            problem -> {
              throw ApiStatusException.internalError(origin.get() + ": " + problem);
            });
  }

  public static boolean isHtml(@Nullable String contentType) {
    return mediaType(contentType).equals(HTML);
  }

  /** Returns the message about a web page. */
  public static String webPage(byte[] html) {
    return "the response is not from an API server but a web page ("
        + words(html)
        + "): check the URL";
  }

  private static String withoutQuery(String location) {
    int query = location.indexOf('?');
    return query < 0 ? location : location.substring(0, query);
  }

  private static String words(byte[] html) {
    String words =
        new String(html, 0, Math.min(html.length, MAX_TEXT), UTF_8)
            .replaceAll("(?s)<(script|style).*?</\\1>|<[^>]*>?", " ")
            .replaceAll("\\s+", " ")
            .strip();
    return shortened(words);
  }

  private static String shortened(String text) {
    return text.length() > MAX_WORDS ? text.substring(0, MAX_WORDS) + "…" : text;
  }

  private static Optional<Status> status(HttpResponse response, byte[] body) {
    String type = mediaType(response.header("Content-Type"));
    if (type.equals(PROTOBUF)) {
      return isStatusEnvelope(body) ? protobufStatus(body) : Optional.empty();
    }
    return body.length == 0 || (!type.isEmpty() && !type.equals(JSON))
        ? Optional.empty()
        : jsonStatus(body);
  }

  /** Returns whether a body is not an object but a status of success. */
  public static boolean isDone(@Nullable String contentType, byte[] body) {
    Optional<Status> answer =
        mediaType(contentType).equals(PROTOBUF) ? protobufStatus(body) : jsonStatus(body);
    return answer.filter(status -> "Success".equals(status.status())).isPresent();
  }

  private static Optional<Status> jsonStatus(byte[] body) {
    try {
      return mayBeStatus(body, STATUS) && isStatus(JsonReader.of(body))
          ? Optional.of(Status.CODEC.read(JsonReader.of(body)))
          : Optional.empty();
    } catch (CodecException e) {
      // Not JSON, despite the Content-Type; the code alone must do.
      return Optional.empty();
    }
  }

  private static boolean isStatusEnvelope(byte[] body) {
    int length = STATUS_ENVELOPE.length;
    return body.length >= length && Arrays.equals(body, 0, length, STATUS_ENVELOPE, 0, length);
  }

  /** A server also encodes errors in the requested encoding. */
  private static Optional<Status> protobufStatus(byte[] body) {
    try {
      Serializer<Status> serializer =
          Serializer.protobuf(new GroupVersionKind("", "v1", "Status"), Status.CODEC);
      return Optional.of(serializer.read(new ByteArrayInputStream(body), DecodeContext.create()));
    } catch (CodecException e) {
      return Optional.empty();
    }
  }

  /** Most objects do not contain the word, so they need not be parsed. */
  private static boolean mayBeStatus(byte[] body, byte[] word) {
    int last = body.length - word.length;
    for (int i = 0; i <= last; i++) {
      if (body[i] == word[0] && Arrays.equals(body, i, i + word.length, word, 0, word.length)) {
        return true;
      }
    }
    return false;
  }

  /** Servers write the kind first in JSON, so only the start of another object is read. */
  private static boolean isStatus(JsonReader in) {
    if (in.peek() != JsonReader.Token.OBJECT) {
      return false;
    }
    in.beginObject();
    return in.nextField(KIND) == 0 && in.nextString().equals("Status");
  }

  /** Proxies on the way respond in their own words. */
  private static String text(HttpResponse response, byte[] body) {
    String type = mediaType(response.header("Content-Type"));
    if (type.equals(HTML) || (!type.isEmpty() && !type.startsWith("text/"))) {
      return "unknown";
    }
    return new String(body, 0, Math.min(body.length, MAX_TEXT), UTF_8).strip();
  }

  private static String mediaType(@Nullable String contentType) {
    if (contentType == null) {
      return "";
    }
    int parameters = contentType.indexOf(';');
    return (parameters < 0 ? contentType : contentType.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
