package dev.clientgo.controller.internal.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.config.ExchangeListener.Exchanged;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The memory of a ring, and the secrets that it knows. */
final class IncidentRingTest {

  private final IncidentRing ring = new IncidentRing(1 << 16);

  private RecordingTape begin() {
    return new RecordingTape(
        new RecordedReconcile.Head("c", "", "default", "a", 1, 0, 0, Instant.EPOCH), ring);
  }

  private static void end(RecordingTape tape) {
    tape.end(Instant.EPOCH, "done", null);
  }

  private void reconcile(Exchanged... exchanges) {
    RecordingTape tape = begin();
    for (Exchanged each : exchanges) {
      tape.exchanged(each);
    }
    end(tape);
  }

  private static Exchanged exchange(String method, String path, String sent, String received) {
    URI url = URI.create("http://server" + path);
    return new Exchanged(
        method, url, sent.getBytes(UTF_8), 200, Map.of(), received.getBytes(UTF_8), true, null);
  }

  private static String secret(String value) {
    String base64 = Base64.getEncoder().encodeToString(value.getBytes(UTF_8));
    return "{\"kind\":\"Secret\",\"data\":{\"v\":\"" + base64 + "\"}}";
  }

  /** Evicts all reconciles, and records one with a text. */
  private String textLater(String text) throws IOException {
    for (int i = 0; i < 200; i++) {
      reconcile(exchange("GET", "/api/v1/nodes", "", "{\"a\":\"" + "x".repeat(1000) + "\"}"));
    }
    reconcile(exchange("GET", "/api/v1/nodes", "", "{\"a\":\"" + text + "\"}"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new IncidentWriter(ring, new SecretKeySpec(new byte[32], "HmacSHA256"), List.of("status.token"))
        .write(ring.counts(), out);
    int head = (IncidentFile.MAGIC + IncidentFile.VERSION + "\n").length();
    byte[] file = out.toByteArray();
    InputStream in = new ByteArrayInputStream(file, head, file.length - head);
    return new String(new GZIPInputStream(in).readAllBytes(), UTF_8);
  }

  // ---- secrets

  @Test
  void secrets_ofOneUrl_areAllKnown_afterTheirReconciles() throws Exception {
    String path = "/api/v1/namespaces/default/secrets";
    reconcile(exchange("POST", path, secret("first-secret"), ""));
    reconcile(exchange("POST", path, secret("second-secret"), ""));
    reconcile(exchange("GET", path + "/s", "", secret("before-its-change")));
    reconcile(exchange("GET", path + "/s", "", secret("after-its-change")));

    assertThat(textLater("first-secret second-secret before-its-change after-its-change"))
        .doesNotContain("first-secret", "second-secret", "before-its", "after-its");
  }

  @Test
  void aToken_isKnown_afterItsReconcile() throws Exception {
    reconcile(
        exchange(
            "POST",
            "/api/v1/namespaces/default/serviceaccounts/s/token",
            "{}",
            "{\"status\":{\"token\":\"eyJhbGc-token\"}}"));

    assertThat(textLater("Bearer eyJhbGc-token")).doesNotContain("eyJhbGc-token");
  }

  @Test
  void aSecret_ofALateThread_isKnown() throws Exception {
    RecordingTape tape = begin();
    end(tape);
    tape.exchanged(exchange("GET", "/api/v1/namespaces/a/secrets/s", "", secret("late-secret")));

    assertThat(textLater("late-secret")).doesNotContain("late-secret");
  }

  @Test
  void aListOfSecrets_isKnown_afterItsReconcile() throws Exception {
    StringBuilder list = new StringBuilder("{\"kind\":\"SecretList\",\"items\":[");
    for (int i = 0; i < 300; i++) {
      list.append(secret("value-of-secret-" + i)).append(',');
    }
    list.setLength(list.length() - 1);
    IncidentRing large = new IncidentRing(16 << 20);
    RecordingTape tape =
        new RecordingTape(
            new RecordedReconcile.Head("c", "", "default", "a", 1, 0, 0, Instant.EPOCH), large);
    tape.exchanged(exchange("GET", "/api/v1/secrets", "", list.append("]}").toString()));

    assertThat(large.secrets()).hasSize(1);
  }

  // ---- memory

  /** Collects garbage until an object is gone. */
  private static boolean isCollected(WeakReference<?> object) {
    for (int i = 0; i < 50 && object.get() != null; i++) {
      System.gc();
    }
    return object.get() == null;
  }

  private static WeakReference<ConfigMap> readOne(IncidentRing ring, String name) {
    ConfigMap map = ConfigMap.of("default", name, c -> c.data(Map.of("a", "x".repeat(5_000))));
    RecordingTape tape =
        new RecordingTape(
            new RecordedReconcile.Head("c", "", "default", "a", 1, 0, 0, Instant.EPOCH), ring);
    tape.<ConfigMap, RuntimeException>objects("find", ConfigMap.TYPE, name, () -> List.of(map));
    end(tape);
    return new WeakReference<>(map);
  }

  @Test
  void anObject_ofAnEvictedReconcile_isNotKept() {
    IncidentRing large = new IncidentRing(1 << 20);
    List<WeakReference<ConfigMap>> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      all.add(readOne(large, "m" + i));
    }

    assertThat(all.subList(0, 50)).allMatch(IncidentRingTest::isCollected);
  }

  @Test
  void secrets_areBounded_inBytes() {
    for (int i = 0; i < 100; i++) {
      String name = "s" + i;
      Secret secret =
          Secret.of(
              "default", name, s -> s.data(Map.of("a", Bytes.ofUtf8((name + "-").repeat(2_000)))));
      RecordingTape tape = begin();
      tape.<Secret, RuntimeException>objects("find", Secret.TYPE, name, () -> List.of(secret));
      end(tape);
    }

    assertThat(ring.secrets()).hasSizeLessThan(20);
  }

  @Test
  void anObject_thatLaterReconcilesReadAgain_countsAgain_onceItsReconcileWentAway() {
    ConfigMap map = ConfigMap.of("default", "m", c -> c.data(Map.of("a", "x".repeat(12_000))));
    for (int i = 0; i < 400; i++) {
      RecordingTape tape = begin();
      tape.<ConfigMap, RuntimeException>objects("find", ConfigMap.TYPE, "m", () -> List.of(map));
      end(tape);
    }

    assertThat((Long) ring.counts().get("bytes")).isGreaterThan(12_000);
    assertThat((Long) ring.counts().get("reconciles")).isLessThan(90);
  }

  @Test
  void theTextOfAnError_counts() {
    for (int i = 0; i < 100; i++) {
      begin().end(Instant.EPOCH, "", new IllegalStateException("x".repeat(5_000)));
    }

    assertThat((Long) ring.counts().get("reconciles")).isLessThan(10);
  }

  /** An error that has a large object. */
  private static final class Heavy extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Object heavy;

    Heavy(Object heavy) {
      this.heavy = heavy;
    }

    @Override
    public String getMessage() {
      return "with " + heavy.getClass();
    }
  }

  @Test
  void anError_isNotKept_butItsText() {
    WeakReference<Object> heavy = failHeavily();

    assertThat(isCollected(heavy)).isTrue();
    assertThat(ring.counts()).containsEntry("reconciles", 1L);
  }

  private WeakReference<Object> failHeavily() {
    Object heavy = new Object();
    RecordingTape tape = begin();
    assertThatThrownBy(
            () ->
                tape.value(
                    "now",
                    "",
                    () -> {
                      throw new Heavy(heavy);
                    }))
        .isInstanceOf(Heavy.class);
    tape.end(Instant.EPOCH, "", new Heavy(heavy));
    return new WeakReference<>(heavy);
  }

  // ---- files

  @Test
  void aLine_thatNeverEnds_costsNoMemory() throws Exception {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write((IncidentFile.MAGIC + IncidentFile.VERSION + "\n").getBytes(UTF_8));
    try (GZIPOutputStream zip = new GZIPOutputStream(file)) {
      byte[] part = new byte[1 << 20];
      for (int i = 0; i < 80; i++) {
        zip.write(part);
      }
    }

    assertThatThrownBy(() -> IncidentFile.read(new ByteArrayInputStream(file.toByteArray())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too large");
  }
}
