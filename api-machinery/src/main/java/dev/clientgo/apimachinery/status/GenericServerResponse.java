package dev.clientgo.apimachinery.status;

import dev.clientgo.apimachinery.schema.GroupResource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The reason and message for an HTTP response without a {@link Status}: an error page of a proxy,
 * an empty body, plain text.
 *
 * @param reason the reason for programs
 * @param message the reason for people
 */
record GenericServerResponse(String reason, String message) {

  /** Returns the reason and message of a status code; a few messages are the body itself. */
  static GenericServerResponse of(int code, String verb, String body) {
    return switch (code) {
      case 400 ->
          answer(StatusReason.BAD_REQUEST, "the server rejected our request for an unknown reason");
      case 401 ->
          answer(
              StatusReason.UNAUTHORIZED,
              "the server has asked for the client to provide credentials");
      case 403 -> answer(StatusReason.FORBIDDEN, body);
      case 404 ->
          answer(StatusReason.NOT_FOUND, "the server could not find the requested resource");
      case 405 ->
          answer(
              StatusReason.METHOD_NOT_ALLOWED,
              "the server does not allow this method on the requested resource");
      case 406 ->
          answer(
              StatusReason.NOT_ACCEPTABLE,
              body.isEmpty() || body.equals("unknown")
                  ? "the server was unable to respond with a content type that the client supports"
                  : body);
      case 409 ->
          answer(
              verb.equals("POST") ? StatusReason.ALREADY_EXISTS : StatusReason.CONFLICT,
              "the server reported a conflict");
      case 415 -> answer(StatusReason.UNSUPPORTED_MEDIA_TYPE, body);
      case 422 ->
          answer(
              StatusReason.INVALID,
              "the server rejected our request due to an error in our request");
      case 429 ->
          answer(
              StatusReason.TOO_MANY_REQUESTS,
              "the server has received too many requests and has asked us to try again later");
      case 503 ->
          answer(
              StatusReason.SERVICE_UNAVAILABLE,
              "the server is currently unable to handle the request");
      case 504 ->
          answer(
              StatusReason.TIMEOUT,
              "the server was unable to return a response in the time allotted, but may still be"
                  + " processing the request");
      default ->
          code >= 500
              ? answer(
                  StatusReason.INTERNAL_ERROR,
                  "an error on the server ("
                      + GoText.quote(body)
                      + ") has prevented the request from succeeding")
              : answer(
                  StatusReason.UNKNOWN,
                  "the server responded with the status code "
                      + code
                      + " but did not return more information");
    };
  }

  private static GenericServerResponse answer(String reason, String message) {
    return new GenericServerResponse(reason, message);
  }

  /** Returns the message, followed by the request if the resource is known. */
  String message(String verb, GroupResource resource, String name) {
    if (resource.isEmpty()) {
      return message;
    }
    String request = verb.toLowerCase(Locale.ROOT) + " " + resource;
    return message + " (" + request + (name.isEmpty() ? "" : " " + name) + ")";
  }

  /** Returns the body as a cause if its type was unexpected. */
  static @Nullable List<StatusCause> causes(String body, boolean unexpected) {
    return unexpected
        ? List.of(new StatusCause(CauseType.UNEXPECTED_SERVER_RESPONSE, body, null))
        : null;
  }
}
