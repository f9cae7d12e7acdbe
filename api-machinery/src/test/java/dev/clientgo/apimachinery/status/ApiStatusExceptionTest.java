package dev.clientgo.apimachinery.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ApiStatusExceptionTest {

  private static final GroupResource TESTS = new GroupResource("", "tests");
  private static final GroupResource DEPLOYMENTS = new GroupResource("apps", "deployments");
  private static final GroupResource NONE = new GroupResource("", "");

  /** The predicate of each reason, with the code that stands for it if the reason is not known. */
  private record Rule(String reason, int code, Predicate<ApiStatusException> predicate) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(StatusReason.UNAUTHORIZED, 401, ApiStatusException::isUnauthorized),
          new Rule(StatusReason.FORBIDDEN, 403, ApiStatusException::isForbidden),
          new Rule(StatusReason.NOT_FOUND, 404, ApiStatusException::isNotFound),
          new Rule(StatusReason.CONFLICT, 409, ApiStatusException::isConflict),
          new Rule(StatusReason.GONE, 410, ApiStatusException::isGone),
          new Rule(StatusReason.INVALID, 422, ApiStatusException::isInvalid),
          new Rule(StatusReason.TIMEOUT, 504, ApiStatusException::isTimeout),
          new Rule(StatusReason.BAD_REQUEST, 400, ApiStatusException::isBadRequest),
          new Rule(StatusReason.METHOD_NOT_ALLOWED, 405, ApiStatusException::isMethodNotSupported),
          new Rule(StatusReason.NOT_ACCEPTABLE, 406, ApiStatusException::isNotAcceptable),
          new Rule(
              StatusReason.UNSUPPORTED_MEDIA_TYPE, 415, ApiStatusException::isUnsupportedMediaType),
          new Rule(StatusReason.INTERNAL_ERROR, 500, ApiStatusException::isInternalError),
          new Rule(
              StatusReason.SERVICE_UNAVAILABLE, 503, ApiStatusException::isServiceUnavailable));

  /** Here the code counts whatever the reason. */
  private static final List<Rule> REASON_OR_CODE =
      List.of(
          new Rule(StatusReason.TOO_MANY_REQUESTS, 429, ApiStatusException::isTooManyRequests),
          new Rule(
              StatusReason.REQUEST_ENTITY_TOO_LARGE,
              413,
              ApiStatusException::isRequestEntityTooLarge));

  /** Here the code never counts. */
  private static final List<Rule> REASON_ONLY =
      List.of(
          new Rule(StatusReason.ALREADY_EXISTS, 409, ApiStatusException::isAlreadyExists),
          new Rule(StatusReason.EXPIRED, 410, ApiStatusException::isResourceExpired),
          new Rule(StatusReason.SERVER_TIMEOUT, 500, ApiStatusException::isServerTimeout),
          new Rule(StatusReason.STORE_READ_ERROR, 500, ApiStatusException::isStoreReadError));

  private static List<Rule> allRules() {
    List<Rule> all = new ArrayList<>(RULES);
    all.addAll(REASON_OR_CODE);
    all.addAll(REASON_ONLY);
    return all;
  }

  private static ApiStatusException error(String reason, int code) {
    return new ApiStatusException(Status.builder().reason(reason).code(code).build());
  }

  /** Upstream: TestIsErrorTypesByReasonAndCode, for every predicate, reason and code. */
  @Test
  void predicates_forEachReasonAndCode_followTheRules() {
    List<Rule> all = allRules();
    for (Rule rule : all) {
      for (Rule said : all) {
        for (Rule sent : all) {
          ApiStatusException error = error(said.reason, sent.code);
          boolean expected =
              said.reason.equals(rule.reason)
                  || (REASON_OR_CODE.contains(rule) && sent.code == rule.code);

          assertThat(rule.predicate.test(error))
              .as("%s asked of reason %s, code %d", rule.reason, said.reason, sent.code)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void predicates_withoutAKnownReason_goByTheCode() {
    for (String reason : new String[] {null, "", "OfAnotherServer"}) {
      for (Rule rule : allRules()) {
        for (Rule sent : allRules()) {
          boolean expected = sent.code == rule.code && !REASON_ONLY.contains(rule);

          assertThat(rule.predicate.test(error(reason, sent.code)))
              .as("%s asked of reason %s, code %d", rule.reason, reason, sent.code)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void predicates_ofAnEmptyStatus_areAllFalse() {
    ApiStatusException error = new ApiStatusException(Status.builder().build());

    assertThat(allRules()).noneMatch(rule -> rule.predicate.test(error));
    assertThat(error.isUnexpectedServerError()).isFalse();
    assertThat(error.retryAfter()).isEmpty();
    assertThat(error.reason()).isEmpty();
    assertThat(error.code()).isZero();
  }

  /** Upstream: TestReasonForErrorSupportsWrappedErrors and its siblings. */
  @Test
  void in_wrappedError_findsIt() {
    ApiStatusException error = ApiStatusException.notFound(TESTS, "3");
    Throwable wrapped = new IllegalStateException(new RuntimeException("once", error));

    assertThat(ApiStatusException.find(error)).containsSame(error);
    assertThat(ApiStatusException.find(wrapped)).containsSame(error);
    assertThat(ApiStatusException.find(null)).isEmpty();
    assertThat(ApiStatusException.find(new RuntimeException(new IOException("hello")))).isEmpty();
  }

  @Test
  void isConflictOrNotFound_alsoWrapped_isSo() {
    ApiStatusException conflict = ApiStatusException.conflict(TESTS, "3", "it has changed");
    ApiStatusException notFound = ApiStatusException.notFound(TESTS, "3");
    ApiStatusException exists = ApiStatusException.alreadyExists(TESTS, "3");

    assertThat(List.of(conflict, notFound, new IllegalStateException(conflict)))
        .allMatch(ApiStatusException::isConflictOrNotFound);
    assertThat(List.of(exists, new IllegalStateException("no error of the API")))
        .noneMatch(ApiStatusException::isConflictOrNotFound);
  }

  @Test
  void toString_anyError_hasMessageAndReasonInOneLine() {
    assertThat(ApiStatusException.conflict(TESTS, "3", "it has changed"))
        .hasToString(
            ApiStatusException.class.getName()
                + ": Operation cannot be fulfilled on tests \"3\": it has changed (Conflict)");
  }

  @Test
  void in_causesThatFormALoop_ends() {
    RuntimeException first = new RuntimeException("first");
    RuntimeException second = new RuntimeException("second", first);
    first.initCause(second);

    assertThat(ApiStatusException.find(first)).isEmpty();
  }

  static Stream<Arguments> delays() {
    return Stream.of(
        argumentSet("named", ApiStatusException.generateNameConflict(TESTS, "3", 1), 1),
        argumentSet("serverTimeout", ApiStatusException.serverTimeout(TESTS, "doing", 10), 10),
        argumentSet("serverTimeout 0", ApiStatusException.serverTimeout(TESTS, "doing", 0), 0),
        argumentSet("timeout", ApiStatusException.timeout("test reason", 10), 10),
        argumentSet("timeout 0", ApiStatusException.timeout("test reason", 0), null),
        argumentSet("tooMany", ApiStatusException.tooManyRequests("doing", 10), 10),
        argumentSet("tooMany 1", ApiStatusException.tooManyRequests("doing", 1), 1),
        argumentSet("tooMany -1", ApiStatusException.tooManyRequests("doing", -1), null),
        argumentSet("notFound", ApiStatusException.notFound(TESTS, "x"), null),
        argumentSet("generic 429", generic(429, "GET", TESTS, "test", "doing", 10, true), 10),
        argumentSet("generic 500", generic(500, "GET", TESTS, "test", "doing", 10, true), 10),
        argumentSet("generic 429, 0", generic(429, "GET", TESTS, "test", "doing", 0, true), null));
  }

  /** Upstream: TestErrorNew, TestSuggestsClientDelaySupportsWrapping. */
  @ParameterizedTest
  @MethodSource("delays")
  void retryAfter_ofAnError_isWhatTheServerAsksFor(ApiStatusException error, Integer seconds) {
    assertThat(error.retryAfter()).isEqualTo(Optional.ofNullable(seconds).map(Duration::ofSeconds));
  }

  @Test
  void retryAfter_serverTimeoutWithoutDetails_isEmpty() {
    assertThat(error(StatusReason.SERVER_TIMEOUT, 500).retryAfter()).isEmpty();
  }

  /** Upstream: TestStatusCauseSupportsWrappedErrors, TestIsUnexpectedServerError. */
  @Test
  void statusCause_byType_isTheFirst() {
    StatusCause first = new StatusCause("SomeCause", "1", null);
    StatusCause second = new StatusCause("SomeCause", "2", null);
    ApiStatusException error =
        ApiStatusException.applyConflict(
            List.of(new StatusCause(null, "0", null), first, second), "no");

    assertThat(error.statusCause("SomeCause")).contains(first);
    assertThat(error.hasStatusCause("SomeCause")).isTrue();
    assertThat(error.hasStatusCause("Other")).isFalse();
    assertThat(ApiStatusException.notFound(TESTS, "x").hasStatusCause("Other")).isFalse();
    assertThat(ApiStatusException.badRequest("x").hasStatusCause("Other")).isFalse();
  }

  static Stream<Arguments> made() {
    return Stream.of(
        argumentSet(
            "notFound",
            ApiStatusException.notFound(DEPLOYMENTS, "a\"b"),
            404,
            "NotFound",
            "deployments.apps \"a\\\"b\" not found"),
        argumentSet(
            "alreadyExists",
            ApiStatusException.alreadyExists(TESTS, "1"),
            409,
            "AlreadyExists",
            "tests \"1\" already exists"),
        argumentSet(
            "generateNameConflict",
            ApiStatusException.generateNameConflict(TESTS, "1", 1),
            409,
            "AlreadyExists",
            "tests \"1\" already exists, the server was not able to generate a unique name for"
                + " the object"),
        argumentSet(
            "conflict",
            ApiStatusException.conflict(TESTS, "1", "changed"),
            409,
            "Conflict",
            "Operation cannot be fulfilled on tests \"1\": changed"),
        argumentSet(
            "forbidden",
            ApiStatusException.forbidden(TESTS, "1", "why"),
            403,
            "Forbidden",
            "tests \"1\" is forbidden: why"),
        argumentSet(
            "forbidden, no name",
            ApiStatusException.forbidden(TESTS, "", "why"),
            403,
            "Forbidden",
            "tests is forbidden: why"),
        argumentSet(
            "forbidden, no resource",
            ApiStatusException.forbidden(NONE, "", "why"),
            403,
            "Forbidden",
            "forbidden: why"),
        argumentSet(
            "unauthorized", ApiStatusException.unauthorized("no"), 401, "Unauthorized", "no"),
        argumentSet(
            "unauthorized, no message",
            ApiStatusException.unauthorized(""),
            401,
            "Unauthorized",
            "not authorized"),
        argumentSet("gone", ApiStatusException.gone("away"), 410, "Gone", "away"),
        argumentSet("expired", ApiStatusException.resourceExpired("old"), 410, "Expired", "old"),
        argumentSet("badRequest", ApiStatusException.badRequest("no"), 400, "BadRequest", "no"),
        argumentSet(
            "tooManyRequests",
            ApiStatusException.tooManyRequests("slow", 2),
            429,
            "TooManyRequests",
            "slow"),
        argumentSet(
            "serviceUnavailable",
            ApiStatusException.serviceUnavailable("down"),
            503,
            "ServiceUnavailable",
            "down"),
        argumentSet(
            "methodNotSupported",
            ApiStatusException.methodNotSupported(DEPLOYMENTS, "delete"),
            405,
            "MethodNotAllowed",
            "delete is not supported on resources of kind \"deployments.apps\""),
        argumentSet(
            "serverTimeout",
            ApiStatusException.serverTimeout(TESTS, "list", 0),
            500,
            "ServerTimeout",
            "The list operation against tests could not be completed at this time, please try"
                + " again."),
        argumentSet(
            "internalError",
            ApiStatusException.internalError("boom"),
            500,
            "InternalError",
            "Internal error occurred: boom"),
        argumentSet(
            "timeout", ApiStatusException.timeout("slow", 0), 504, "Timeout", "Timeout: slow"),
        argumentSet(
            "requestEntityTooLarge",
            ApiStatusException.requestEntityTooLarge("limit is 3 MB"),
            413,
            "RequestEntityTooLarge",
            "Request entity too large: limit is 3 MB"));
  }

  /** Upstream: TestErrorNew. */
  @ParameterizedTest
  @MethodSource("made")
  void factories_makeTheErrorsOfAServer(
      ApiStatusException error, int code, String reason, String message) {
    assertThat(error).hasMessage(message);
    assertThat(error.status().status()).isEqualTo("Failure");
    assertThat(error.status().message()).isEqualTo(message);
    assertThat(error.reason()).isEqualTo(reason);
    assertThat(error.code()).isEqualTo(code);
    assertThat(allRules())
        .filteredOn(rule -> rule.predicate.test(error))
        .extracting(Rule::reason)
        .containsExactly(reason);
  }

  @Test
  void factories_sayWhatItIsAbout() {
    assertThat(ApiStatusException.notFound(DEPLOYMENTS, "web").status().details())
        .isEqualTo(StatusDetails.builder().group("apps").kind("deployments").name("web").build());
    assertThat(ApiStatusException.serverTimeout(TESTS, "list", 3).status().details())
        .isEqualTo(StatusDetails.builder().kind("tests").name("list").retryAfterSeconds(3).build());
    assertThat(ApiStatusException.internalError("boom").status().details())
        .isEqualTo(
            StatusDetails.builder().causes(List.of(new StatusCause(null, "boom", null))).build());
  }

  static Stream<Arguments> invalid() {
    Map<String, StatusCause> causes = new LinkedHashMap<>();
    causes.put(
        "Duplicate value: \"bar\"", cause(CauseType.FIELD_VALUE_DUPLICATE, "Duplicate value: "));
    causes.put("Invalid value: \"bar\"", cause(CauseType.FIELD_VALUE_INVALID, "Invalid value: "));
    causes.put("Not found: \"bar\"", cause(CauseType.FIELD_VALUE_NOT_FOUND, "Not found: "));
    causes.put(
        "Unsupported value: \"bar\"",
        cause(CauseType.FIELD_VALUE_NOT_SUPPORTED, "Unsupported value: "));
    return causes.entrySet().stream()
        .map(
            entry ->
                argumentSet(
                    entry.getKey(),
                    List.of(entry.getValue()),
                    "Kind \"name\" is invalid: field[0].name: " + entry.getKey()));
  }

  private static StatusCause cause(String type, String text) {
    return new StatusCause(type, text + "\"bar\"", "field[0].name");
  }

  /** Upstream: TestNewInvalid. */
  @ParameterizedTest
  @MethodSource("invalid")
  void invalid_oneCause_isInTheMessage(List<StatusCause> causes, String message) {
    ApiStatusException error =
        ApiStatusException.invalid(new GroupKind("", "Kind"), "name", causes);

    assertThat(error).hasMessage(message);
    assertThat(error.code()).isEqualTo(422);
    assertThat(error.isInvalid()).isTrue();
    assertThat(error.status().details())
        .isEqualTo(StatusDetails.builder().kind("Kind").name("name").causes(causes).build());
  }

  @Test
  void invalid_severalCauses_listsEachOnce() {
    StatusCause first = new StatusCause(CauseType.FIELD_VALUE_REQUIRED, "Required value", "a");
    StatusCause second = new StatusCause(CauseType.TOO_LONG, "Too long", "b");

    assertThat(
            ApiStatusException.invalid(
                new GroupKind("apps", "Deployment"), "web", List.of(first, second, first)))
        .hasMessage("Deployment.apps \"web\" is invalid: [a: Required value, b: Too long]");
    assertThat(ApiStatusException.invalid(new GroupKind("", "Kind"), "name", List.of()))
        .hasMessage("Kind \"name\" is invalid");
  }

  private static ApiStatusException generic(
      int code,
      String verb,
      GroupResource resource,
      String name,
      String body,
      int retryAfter,
      boolean unexpected) {
    return ApiStatusException.genericServerResponse(
        code, verb, resource, name, body, retryAfter, unexpected);
  }

  static Stream<Arguments> generic() {
    return Stream.of(
        Arguments.of(400, "BadRequest", "the server rejected our request for an unknown reason"),
        Arguments.of(
            401, "Unauthorized", "the server has asked for the client to provide credentials"),
        Arguments.of(403, "Forbidden", "body"),
        Arguments.of(404, "NotFound", "the server could not find the requested resource"),
        Arguments.of(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource"),
        Arguments.of(406, "NotAcceptable", "body"),
        Arguments.of(409, "Conflict", "the server reported a conflict"),
        Arguments.of(415, "UnsupportedMediaType", "body"),
        Arguments.of(
            422, "Invalid", "the server rejected our request due to an error in our request"),
        Arguments.of(
            429,
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later"),
        Arguments.of(
            500,
            "InternalError",
            "an error on the server (\"body\") has prevented the request from succeeding"),
        Arguments.of(
            502,
            "InternalError",
            "an error on the server (\"body\") has prevented the request from succeeding"),
        Arguments.of(
            503, "ServiceUnavailable", "the server is currently unable to handle the request"),
        Arguments.of(
            504,
            "Timeout",
            "the server was unable to return a response in the time allotted, but may still be"
                + " processing the request"),
        Arguments.of(
            410,
            "",
            "the server responded with the status code 410 but did not return more"
                + " information"),
        Arguments.of(
            302,
            "",
            "the server responded with the status code 302 but did not return more"
                + " information"));
  }

  @ParameterizedTest
  @MethodSource("generic")
  void genericServerResponse_ofACode_saysWhatIsKnown(int code, String reason, String message) {
    ApiStatusException bare = generic(code, "GET", NONE, "", "body", 0, false);
    ApiStatusException list = generic(code, "GET", DEPLOYMENTS, "", "body", 0, false);
    ApiStatusException get = generic(code, "GET", DEPLOYMENTS, "web", "body", 7, true);

    assertThat(bare).hasMessage(message);
    assertThat(list).hasMessage(message + " (get deployments.apps)");
    assertThat(get).hasMessage(message + " (get deployments.apps web)");
    assertThat(get.reason()).isEqualTo(reason);
    assertThat(get.code()).isEqualTo(code);
    assertThat(bare.status().details()).isEqualTo(StatusDetails.builder().build());
    assertThat(get.status().details())
        .isEqualTo(
            StatusDetails.builder()
                .group("apps")
                .kind("deployments")
                .name("web")
                .retryAfterSeconds(7)
                .causes(
                    List.of(new StatusCause(CauseType.UNEXPECTED_SERVER_RESPONSE, "body", null)))
                .build());
    assertThat(get.isUnexpectedServerError()).isTrue();
    assertThat(list.isUnexpectedServerError()).isFalse();
  }

  @Test
  void genericServerResponse_conflictOfAPost_isAnExistingObject() {
    assertThat(generic(409, "POST", TESTS, "x", "", 0, true).isAlreadyExists()).isTrue();
    assertThat(generic(409, "PUT", TESTS, "x", "", 0, true).isAlreadyExists()).isFalse();
    assertThat(generic(409, "PUT", TESTS, "x", "", 0, true).isConflict()).isTrue();
  }

  @Test
  void genericServerResponse_notAcceptableWithoutABody_hasAMessage() {
    for (String body : List.of("", "unknown")) {
      assertThat(generic(406, "GET", NONE, "", body, 0, true))
          .hasMessage(
              "the server was unable to respond with a content type that the client supports");
    }
  }

  @Test
  void genericServerResponse_bodyWithSpecialCharacters_isQuotedAsUpstream() {
    assertThat(generic(500, "GET", NONE, "", "<a \"b\">\n\t\\é\u0001\u200b\uD83D\uDE00", 0, true))
        .hasMessage(
            "an error on the server (\"<a \\\"b\\\">\\n\\t\\\\é\\x01\\u200b\uD83D\uDE00\") has"
                + " prevented the request from succeeding");
  }

  @Test
  void message_absent_isMadeOfReasonAndCode() {
    assertThat(error("NotFound", 404))
        .hasMessage("the server refused the request without a message (reason NotFound, code 404)");
    assertThat(new ApiStatusException(Status.builder().message("").build()))
        .hasMessage(
            "the server refused the request without a message (reason unknown, code unknown)");
  }

  @Test
  void serialization_keepsTheStatus() throws Exception {
    ApiStatusException error = generic(500, "GET", DEPLOYMENTS, "web", "body", 7, true);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(error);
    }

    ApiStatusException copy;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copy = (ApiStatusException) in.readObject();
    }

    assertThat(copy.status()).isEqualTo(error.status());
    assertThat(copy).hasMessage(error.getMessage());
    assertThat(copy.isUnexpectedServerError()).isTrue();
  }

  @Test
  void reasons_thatThisClassKnows_areAllTested() {
    assertThat(allRules()).extracting(Rule::reason).doesNotHaveDuplicates().hasSize(19);
  }
}
