package dev.clientgo.controller.internal.webhook;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.internal.webhook.CaBundles.Found;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Retry;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.certificates.CertifiedKey;
import dev.clientgo.rest.config.PemSource;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Issues the certificate of the webhooks of a program, and replaces it before it runs out. A Secret
 * has it for all replicas. Each certificate has its own authority, whose key nobody keeps.
 *
 * <p>All replicas do the same, and no step needs them to agree: each is an update of one object,
 * which the API server refuses if the object has changed meanwhile.
 *
 * <ol>
 *   <li>When a third of its life is left, the Secret gets the next pair, which nobody serves, and
 *       the authority of that in {@code ca.crt}.
 *   <li>Each {@code caBundle} gets the authorities of the Secret.
 *   <li>When they have been there for five minutes, so that all API servers know them, the next
 *       pair becomes the one that replicas serve. The last authority stays, for slower replicas.
 * </ol>
 *
 * <p>Used by one thread at a time.
 */
public final class CertificateSecret implements CertificatePoller.Source {

  private static final Logger LOG = System.getLogger(CertificateSecret.class.getName());

  /** The annotation without which a Secret belongs to something else. */
  static final String OWNER = "webhooks.clientgo.dev/certificate-of";

  private static final Duration LIFETIME = Duration.ofDays(90);
  private static final Duration RENEWAL = LIFETIME.dividedBy(3);

  /** How long before its issue a certificate is valid, for an issuer whose clock is ahead. */
  private static final Duration BEFORE = Duration.ofDays(3650);

  /** How long API servers may take to use a new bundle. */
  static final Duration OVERLAP = Duration.ofMinutes(5);

  /** Also for a Secret that another replica has just created. */
  private static final Retry ON_CONFLICT =
      Retry.onError(e -> e instanceof ApiStatusException status && status.code() == 409);

  private static final int MAX_AUTHORITIES = 3;

  /** After how many looks in a row that wrote bundles something else must replace them. */
  private static final int FIGHT = 6;

  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";
  private static final String AUTHORITIES = "ca.crt";
  private static final String NEXT_CERTIFICATE = "next.crt";
  private static final String NEXT_KEY = "next.key";

  /** A certificate and its key, as in the Secret and as served. */
  private record Pair(Bytes certificate, Bytes key, CertifiedKey parsed) {

    static Pair of(Bytes certificate, Bytes key) {
      PemSource pem = new PemSource.Data(certificate.toByteArray());
      PemSource keyPem = new PemSource.Data(key.toByteArray());
      return new Pair(certificate, key, CertifiedKey.read("webhook", pem, keyPem, null));
    }

    Instant end() {
      return parsed.certificate().getNotAfter().toInstant();
    }

    boolean isSignedByOneOf(List<X509Certificate> authorities) {
      for (X509Certificate each : authorities) {
        try {
          parsed.certificate().verify(each.getPublicKey());
          return true;
        } catch (GeneralSecurityException e) {
          // The next one, perhaps.
        }
      }
      return false;
    }
  }

  /** The content of the Secret; the authorities are those of both pairs and of some before. */
  private record Content(Pair current, @Nullable Pair next, List<X509Certificate> authorities) {

    Content promoted(Pair pair) {
      return new Content(pair, null, authorities);
    }

    List<String> bundle() {
      return authorities.stream().map(CertificateSecret::pem).toList();
    }
  }

  private final ResourceClient<Secret> secrets;
  private final ObjectName name;
  private final List<String> hosts;
  private final String owner;
  private final CaBundles bundles;
  private final Clock clock;

  /** Null until the Secret is read for the first time. */
  private @Nullable Content known;

  /** The bundle that all fields have had since {@link #settledAt}; null if there is none. */
  private @Nullable List<String> settled;

  private long settledAt;

  /** The objects whose bundles the last look has written. */
  private List<String> lastWritten = List.of();

  private int writesInARow;

  /** When the Secret was last written, by the clock of the API server. */
  private Instant lastWrite = Instant.EPOCH;

  /**
   * Creates an instance.
   *
   * @param configurations the name of the configurations, which the Secret is annotated with
   * @param hosts the names by which API servers call the webhooks
   */
  public CertificateSecret(
      RESTClient client,
      ObjectName name,
      String configurations,
      List<String> hosts,
      CaBundles bundles,
      Clock clock) {
    secrets = client.resource(Secret.TYPE).inNamespace(name.namespace());
    this.name = name;
    this.hosts = hosts;
    owner = configurations + " at " + String.join(" ", hosts);
    this.bundles = bundles;
    this.clock = clock;
  }

  /** Passes on the pair of the Secret, whose authority each bundle has. */
  @Override
  public void read(Consumer<CertifiedKey> serving) throws InterruptedException {
    try {
      serving.accept(ON_CONFLICT.run(this::look));
    } catch (KubernetesException e) { // Such as for a bundle that may not be read.
      if (known == null || !isValid(known.current())) {
        serveUnchecked(serving);
      }
      throw e;
    }
    if (writesInARow >= FIGHT) {
      throw new ConfigException(
          String.format(
              "the caBundle of %s was replaced after each of the last %d writes of it; does"
                  + " something else write it, such as cert-manager with an annotation"
                  + " cert-manager.io/inject-ca-from?",
              lastWritten, writesInARow));
    } else if (lastWrite.minus(RENEWAL).isAfter(clock.now())) {
      throw new ConfigException(
          String.format(
              "the clock of this process, %s, is so far behind the API server, which wrote the"
                  + " Secret %s at %s, that this replica would renew too late",
              clock.now(), name, lastWrite));
    }
  }

  /** Passes on the pair of the Secret as it is: other replicas serve it, too. */
  private void serveUnchecked(Consumer<CertifiedKey> serving) throws InterruptedException {
    Secret secret = secrets.find(name.name()).orElse(null);
    if (secret != null) {
      requireOwn(secret);
      Pair pair = Pair.of(text(secret, CERTIFICATE), text(secret, KEY));
      if (isValid(pair)) {
        serving.accept(pair.parsed());
      }
    }
  }

  private CertifiedKey look() throws InterruptedException {
    // Before the Secret: then a write with what an older Secret had is a conflict.
    List<Found> found = bundles.read();
    Secret secret = secrets.find(name.name()).orElse(null);
    Content content = secret == null ? null : content(secret);
    if (content == null || !isValid(content.current())) {
      content = replacement(content, found);
      write(secret, content);
    } else if (content.next() == null
        && content.current().end().isBefore(clock.now().plus(RENEWAL))) {
      content = issue(content.current(), content.authorities());
      write(secret, content);
    }
    lastWritten = bundles.write(found, content.bundle());
    writesInARow = lastWritten.isEmpty() ? 0 : writesInARow + 1;
    Pair next = content.next();
    if (isSettled(content.bundle(), lastWritten.isEmpty()) && next != null) {
      content = content.promoted(next);
      write(secret, content);
    }
    known = content;
    lastWrite = secret == null ? Instant.EPOCH : lastWrite(secret);
    return content.current().parsed();
  }

  private boolean isValid(Pair pair) {
    return clock.now().isBefore(pair.end());
  }

  private boolean isSettled(List<String> bundle, boolean complete) {
    if (!complete || !bundle.equals(settled)) {
      settled = complete ? bundle : null;
      settledAt = clock.nanoTime();
    }
    return clock.nanoTime() - settledAt >= OVERLAP.toNanos();
  }

  // ---- the Secret

  private void requireOwn(Secret secret) {
    if (!owner.equals(secret.metadata().annotations().get(OWNER))) {
      throw new ConfigException(
          String.format(
              "the Secret %s belongs to something else, because its annotation %s is not \"%s\";"
                  + " choose another name, or delete it if nothing needs it",
              name, OWNER, owner));
    }
  }

  /** Returns the last time of the API server that the Secret shows. */
  private static Instant lastWrite(Secret secret) {
    ObjectMeta metadata = secret.metadata();
    return Stream.concat(
            Stream.ofNullable(metadata.creationTimestamp()),
            metadata.managedFields().stream().flatMap(each -> Stream.ofNullable(each.time())))
        .map(Time::instant)
        .max(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }

  /** Returns the content, null if it is of no use and may be replaced. */
  private @Nullable Content content(Secret secret) {
    requireOwn(secret);
    try {
      List<X509Certificate> authorities = certificates(text(secret, AUTHORITIES));
      Pair current = Pair.of(text(secret, CERTIFICATE), text(secret, KEY));
      Pair next =
          secret.data().containsKey(NEXT_KEY)
              ? Pair.of(text(secret, NEXT_CERTIFICATE), text(secret, NEXT_KEY))
              : null;
      if (!current.isSignedByOneOf(authorities)
          || (next != null && !next.isSignedByOneOf(authorities))) {
        throw new ConfigException("ca.crt does not have the authority of each certificate");
      }
      return new Content(current, next, authorities);
    } catch (ConfigException | CertificateException e) {
      LOG.log(
          Level.WARNING,
          "Replacing the certificate of webhooks, which cannot be used: secret={0} error={1}",
          name,
          CrashLog.text(e));
      return null;
    }
  }

  private static Bytes text(Secret secret, String key) {
    return secret.data().getOrDefault(key, new Bytes(""));
  }

  private void write(@Nullable Secret secret, Content content) throws InterruptedException {
    Secret before =
        secret != null
            ? secret
            : Secret.of(
                name.namespace(),
                name.name(),
                s ->
                    s.type("kubernetes.io/tls")
                        .editMetadata(m -> m.editAnnotations(a -> a.put(OWNER, owner))));
    Pair next = content.next();
    Secret after =
        before.with(
            s ->
                s.editData(
                    data -> {
                      data.put(CERTIFICATE, content.current().certificate());
                      data.put(KEY, content.current().key());
                      data.put(AUTHORITIES, Bytes.ofUtf8(String.join("", content.bundle())));
                      data.remove(NEXT_CERTIFICATE);
                      data.remove(NEXT_KEY);
                      if (next != null) {
                        data.put(NEXT_CERTIFICATE, next.certificate());
                        data.put(NEXT_KEY, next.key());
                      }
                    }));
    if (secret == null) {
      secrets.create(after);
    } else {
      secrets.update(after);
    }
    LOG.log(
        Level.INFO,
        "Wrote the certificate of webhooks: secret={0} certificate={1} next={2}",
        name,
        content.current().parsed(),
        next == null ? "none" : next.parsed());
  }

  // ---- certificates

  /** Returns content for a Secret that is missing, of no use, or whose certificate ran out. */
  private Content replacement(@Nullable Content old, List<Found> found) {
    Pair next = old == null ? null : old.next();
    if (old != null && next != null && isValid(next)) {
      return old.promoted(next);
    }
    Content last = known;
    return last != null && isValid(last.current()) ? last : first(last, found);
  }

  /** Returns a new pair. What API servers trust stays trusted, as other replicas may serve it. */
  private Content first(@Nullable Content last, List<Found> found) {
    List<X509Certificate> trusted = new ArrayList<>(last == null ? List.of() : last.authorities());
    found.stream()
        .flatMap(each -> each.bundles().values().stream())
        .distinct()
        .forEach(
            bundle -> {
              try {
                trusted.addAll(certificates(bundle));
              } catch (CertificateException e) {
                LOG.log(Level.DEBUG, "Leaving out a caBundle that is not valid", e);
              }
            });
    Content issued = issue(null, trusted);
    return issued.promoted(issued.current());
  }

  /** Issues a pair: the next one, or the current one if there is none. */
  private Content issue(@Nullable Pair current, List<X509Certificate> trusted) {
    CertificateAuthority authority =
        CertificateAuthority.create(
            clock, "webhook-ca-" + clock.now().getEpochSecond(), BEFORE, LIFETIME);
    CertificateAuthority.Identity issued = authority.issueServer("webhooks", hosts);
    Pair pair =
        Pair.of(Bytes.ofUtf8(issued.certificatePem()), Bytes.ofUtf8(issued.privateKeyPem()));
    List<X509Certificate> authorities =
        Stream.concat(Stream.of(authority.certificate()), trusted.stream())
            .distinct()
            .limit(MAX_AUTHORITIES)
            .toList();
    return current == null
        ? new Content(pair, null, authorities)
        : new Content(current, pair, authorities);
  }

  /** Returns the certificates of a PEM text, in its order; none if there is no text. */
  private static List<X509Certificate> certificates(Bytes pem) throws CertificateException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem.toByteArray()))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
  }

  private static String pem(X509Certificate certificate) {
    try {
      return CertificateAuthority.pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalStateException("cannot encode a certificate just read", e);
    }
  }
}
