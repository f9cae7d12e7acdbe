package dev.clientgo.controller.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets the API server decide who may read a page: by a TokenReview of the bearer token, and a
 * SubjectAccessReview of its user, the path and the method. Safe for use by many threads.
 *
 * <p>Answers are kept by the hash of the token, for a time: {@value #MOST_ANSWERS} of each kind, of
 * which the least recently used go first. Rejected tokens are apart, so however many a client
 * tries, those that are valid stay. At most {@value #MOST_REVIEWS} reviews are in flight.
 *
 * <p>Corresponds to controller-runtime's {@code filters.WithAuthenticationAndAuthorization}.
 */
public final class ReviewedAccess implements HttpEndpoints.Access {

  private static final System.Logger LOG = System.getLogger(ReviewedAccess.class.getName());

  static final int MOST_ANSWERS = 1000;
  static final int MOST_REVIEWS = 8;

  private static final int LONGEST_TOKEN = 16 * 1024;
  private static final Duration TOKEN_TIME = Duration.ofMinutes(1);

  /** Short, because the server also rejects a token that it could not check. */
  private static final Duration REJECTED_TIME = Duration.ofSeconds(10);

  private static final Duration ALLOWED_TIME = Duration.ofMinutes(5);
  private static final Duration DENIED_TIME = Duration.ofSeconds(30);

  private record Answer<V>(V value, long from, Duration time) {}

  /** The last answers. */
  private final class Answers<K, V> {

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<K, Answer<V>> byKey =
        new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Answer<V>> eldest) {
            return size() > MOST_ANSWERS;
          }
        };

    @Nullable V get(K key) {
      lock.lock();
      try {
        Answer<V> found = byKey.get(key);
        boolean valid = found != null && clock.nanoTime() - found.from < found.time.toNanos();
        return found != null && valid ? found.value : null;
      } finally {
        lock.unlock();
      }
    }

    void put(K key, V value, Duration time) {
      lock.lock();
      try {
        byKey.put(key, new Answer<>(value, clock.nanoTime(), time));
      } finally {
        lock.unlock();
      }
    }
  }

  private final RESTClient client;
  private final Clock clock;
  private final Answers<String, UserInfo> users = new Answers<>();
  private final Answers<String, Boolean> rejected = new Answers<>();
  private final Answers<SubjectAccessReviewSpec, Boolean> permissions = new Answers<>();
  private final Semaphore reviews = new Semaphore(MOST_REVIEWS, /* fair= */ true);
  private final CrashLog failures = new CrashLog(LOG);

  /** Creates an instance that asks through the client. */
  public ReviewedAccess(RESTClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  @SuppressWarnings("InterruptedExceptionSwallowed") // The time is up: no answer, like an error.
  public @Nullable Page refusal(@Nullable String authorization, String method, String path) {
    String token = token(authorization);
    if (token.isEmpty()) {
      return page(401, "Unauthorized: send a bearer token");
    }
    try {
      UserInfo user = user(token);
      if (user == null) {
        return page(401, "Unauthorized: the token is not valid");
      }
      boolean allowed = isAllowed(user, method.toLowerCase(Locale.ROOT), path);
      failures.succeeded();
      return allowed
          ? null
          : page(403, "Forbidden: " + user.username() + " may not read this page");
    } catch (Throwable e) {
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

  private @Nullable UserInfo user(String token)
      throws InterruptedException, NoSuchAlgorithmException {
    String hash = hash(token);
    UserInfo known = users.get(hash);
    if (known != null || rejected.get(hash) != null) {
      return known;
    }
    reviews.acquire();
    try {
      known = users.get(hash);
      if (known != null || rejected.get(hash) != null) {
        return known; // Another thread has asked meanwhile.
      }
      TokenReviewStatus status =
          client
              .resource(TokenReview.TYPE)
              .create(TokenReview.of(r -> r.spec(TokenReviewSpec.of(s -> s.token(token)))))
              .status();
      if (Boolean.TRUE.equals(status.authenticated())) {
        users.put(hash, status.user(), TOKEN_TIME);
        return status.user();
      }
      rejected.put(hash, true, REJECTED_TIME);
      return null;
    } finally {
      reviews.release();
    }
  }

  private static String hash(String token) throws NoSuchAlgorithmException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    return HexFormat.of().formatHex(hash);
  }

  private boolean isAllowed(UserInfo user, String verb, String path) throws InterruptedException {
    SubjectAccessReviewSpec asked =
        SubjectAccessReviewSpec.of(
            s ->
                s.user(user.username())
                    .uid(user.uid())
                    .groups(user.groups())
                    .extra(user.extra())
                    .nonResourceAttributes(NonResourceAttributes.of(a -> a.path(path).verb(verb))));
    Boolean known = permissions.get(asked);
    if (known != null) {
      return known;
    }
    reviews.acquire();
    try {
      SubjectAccessReviewStatus status =
          client
              .resource(SubjectAccessReview.TYPE)
              .create(SubjectAccessReview.of(r -> r.spec(asked)))
              .status();
      boolean allowed =
          Boolean.TRUE.equals(status.allowed()) && !Boolean.TRUE.equals(status.denied());
      permissions.put(asked, allowed, allowed ? ALLOWED_TIME : DENIED_TIME);
      return allowed;
    } finally {
      reviews.release();
    }
  }
}
