package dev.clientgo.controller.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.http.HttpEndpoints.Page;
import dev.clientgo.kubernetes.authentication.v1.TokenReview;
import dev.clientgo.kubernetes.authentication.v1.TokenReviewSpec;
import dev.clientgo.kubernetes.authentication.v1.TokenReviewStatus;
import dev.clientgo.kubernetes.authentication.v1.UserInfo;
import dev.clientgo.kubernetes.authorization.v1.NonResourceAttributes;
import dev.clientgo.kubernetes.authorization.v1.SubjectAccessReview;
import dev.clientgo.kubernetes.authorization.v1.SubjectAccessReviewSpec;
import dev.clientgo.kubernetes.authorization.v1.SubjectAccessReviewStatus;
import dev.clientgo.rest.RESTClient;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the API server decide who may read a page: by a TokenReview of the bearer token, and a
 * SubjectAccessReview of its user, the path and the method. Safe for use by many threads.
 *
 * <p>Answers are kept by the hash of the token, for a time: {@value #MOST_ANSWERS} of each kind, of
 * which the least recently used go first. Rejected tokens are apart, so however many a client
 * tries, those that are valid stay. At most {@value #MOST_REVIEWS} reviews of unknown tokens are in
 * flight, and {@value #MOST_WAITING} wait; as many others have permits of their own.
 *
 * <p>Corresponds to controller-runtime's {@code filters.WithAuthenticationAndAuthorization}.
 */
public final class ReviewedAccess implements HttpEndpoints.Access {

  private static final System.Logger LOG = System.getLogger(ReviewedAccess.class.getName());

  static final int MOST_ANSWERS = 1000;
  static final int MOST_REVIEWS = 8;

  /** Far fewer than there are threads, which a flood of tokens would take if a review is slow. */
  static final int MOST_WAITING = 64;

  private static final int LONGEST_TOKEN = 16 * 1024;
  private static final Duration TOKEN_TIME = Duration.ofMinutes(1);

  /** Short, because the server also rejects a token that it could not check. */
  private static final Duration REJECTED_TIME = Duration.ofSeconds(10);

  private static final Duration ALLOWED_TIME = Duration.ofMinutes(5);
  private static final Duration DENIED_TIME = Duration.ofSeconds(30);

  /** What the server has answered: a user for a token, or whether a user may read a page. */
  private record Answer(boolean yes, @Nullable UserInfo user, long since, Duration time) {}

  @FunctionalInterface
  private interface Review {
    Answer send() throws InterruptedException;
  }

  private final RESTClient client;
  private final Clock clock;
  private final Map<Object, Answer> admitted = lastAnswers();
  private final Map<Object, Answer> refused = lastAnswers();

  private final Semaphore reviews = new Semaphore(MOST_REVIEWS, /* fair= */ true);

  /** For the users of valid tokens, and for tokens that were valid before. */
  private final Semaphore renewals = new Semaphore(MOST_REVIEWS, /* fair= */ true);

  private final CrashLog failures = new CrashLog(LOG);

  /** Creates an instance that asks through the client. */
  public ReviewedAccess(RESTClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Returns a map for the last answers by what was asked. */
  private static Map<Object, Answer> lastAnswers() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Object, Answer> eldest) {
            return size() > MOST_ANSWERS;
          }
        });
  }

  @Override
  @SuppressWarnings("InterruptedExceptionSwallowed") // The time is up: no answer, like an error.
  public @Nullable Page refusal(@Nullable String authorization, String method, String path) {
    String token = token(authorization);
    if (token.isEmpty()) {
      return page(401, "Unauthorized: send a bearer token");
    }
    try {
      String hash =
          HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
      UserInfo user =
          ask(hash, admitted.containsKey(hash) ? renewals : reviews, () -> reviewToken(token)).user;
      if (user == null) {
        return page(401, "Unauthorized: the token is not valid");
      }
      SubjectAccessReviewSpec access = access(user, method.toLowerCase(Locale.ROOT), path);
      boolean allowed = ask(access, renewals, () -> reviewAccess(access)).yes;
      failures.succeeded();
      return allowed
          ? null
          : page(403, "Forbidden: " + user.username() + " may not read this page");
    } catch (Throwable e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      failures.failed(
          "Access to a page could not be reviewed; does the manager have the verb create on"
              + " tokenreviews and subjectaccessreviews?",
          e);
      return page(500, "access could not be reviewed, see the log");
    }
  }

  private static Page page(int code, String text) {
    return new Page(code, "text/plain; charset=utf-8", text + '\n');
  }

  private static String token(@Nullable String authorization) {
    boolean isBearer =
        authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7);
    String token = authorization != null && isBearer ? authorization.substring(7).strip() : "";
    return token.length() > LONGEST_TOKEN ? "" : token;
  }

  /** Returns the answer that is known, or asks for one. */
  private Answer ask(Object question, Semaphore permits, Review review)
      throws InterruptedException {
    Answer known = known(question);
    if (known != null) {
      return known;
    }
    if (permits.getQueueLength() >= MOST_WAITING) {
      throw new IllegalStateException("too many reviews wait for the server");
    }
    permits.acquire();
    try {
      known = known(question);
      if (known != null) {
        return known; // Another thread has asked meanwhile.
      }
      Answer answer = review.send();
      (answer.yes ? admitted : refused).put(question, answer);
      return answer;
    } finally {
      permits.release();
    }
  }

  private @Nullable Answer known(Object question) {
    return Stream.of(admitted, refused)
        .map(answers -> answers.get(question))
        .filter(each -> each != null && clock.nanoTime() - each.since < each.time.toNanos())
        .findFirst()
        .orElse(null);
  }

  private Answer reviewToken(String token) throws InterruptedException {
    TokenReviewSpec spec = TokenReviewSpec.of(s -> s.token(token));
    TokenReviewStatus status =
        client.resource(TokenReview.TYPE).create(TokenReview.of(r -> r.spec(spec))).status();
    boolean valid = Boolean.TRUE.equals(status.authenticated());
    return new Answer(
        valid, valid ? status.user() : null, clock.nanoTime(), valid ? TOKEN_TIME : REJECTED_TIME);
  }

  private static SubjectAccessReviewSpec access(UserInfo user, String verb, String path) {
    NonResourceAttributes page = NonResourceAttributes.of(a -> a.path(path).verb(verb));
    return SubjectAccessReviewSpec.of(
        s ->
            s.user(user.username())
                .uid(user.uid())
                .groups(user.groups())
                .extra(user.extra())
                .nonResourceAttributes(page));
  }

  private Answer reviewAccess(SubjectAccessReviewSpec access) throws InterruptedException {
    SubjectAccessReview review = SubjectAccessReview.of(r -> r.spec(access));
    SubjectAccessReviewStatus status =
        client.resource(SubjectAccessReview.TYPE).create(review).status();
    boolean allowed =
        Boolean.TRUE.equals(status.allowed()) && !Boolean.TRUE.equals(status.denied());
    return new Answer(allowed, null, clock.nanoTime(), allowed ? ALLOWED_TIME : DENIED_TIME);
  }
}
