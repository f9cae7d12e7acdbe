package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.FieldValidation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import okio.ByteString;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exchanges that were recorded with a real kube-apiserver, by {@link RecordExchanges}: our client
 * asks what was asked then, and makes of the answer what it says. {@code -Dwire=FOLDER} takes
 * exchanges of the same names from elsewhere.
 */
final class WireTest {

  private static final Path OURS = Path.of("src", "test", "resources", "wire");
  private static final Path FOLDER = Path.of(System.getProperty("wire", OURS.toString()));

  private static final CreateOptions STRICT =
      CreateOptions.builder().fieldValidation(FieldValidation.STRICT).build();

  private static final Map<String, Checks.Check> CHECKS = Checks.all();

  @TestFactory
  Stream<DynamicTest> exchange_replayed_isAskedAndUnderstoodAlike() {
    return Exchange.names(FOLDER).stream()
        .filter(CHECKS::containsKey)
        .map(name -> dynamicTest(name, () -> check(name)));
  }

  private static void check(String name) throws Exception {
    try (Replay replay = Replay.of(FOLDER, name)) {
      CHECKS.get(name).run(replay);
      replay.verify();
    }
  }

  @TestFactory
  Stream<DynamicTest> body_decodedAndEncoded_isTheSame() {
    return Exchange.names(FOLDER).stream()
        .map(name -> dynamicTest(name, () -> WireRoundTrip.check(Exchange.read(FOLDER, name))));
  }

  @Test
  void exchanges_ofOurs_areAllChecked() {
    assertThat(new TreeSet<>(Exchange.names(OURS))).isEqualTo(CHECKS.keySet());
  }

  @Test
  void exchanges_ofOurs_holdNoSecretAndNoPlaceOfAMachine() {
    for (String name : Exchange.names(OURS)) {
      Exchange exchange = Exchange.read(OURS, name);
      assertThat(exchange.question().headers().values("Authorization"))
          .as(name)
          .allMatch("Bearer REDACTED"::equals);
      assertThat(exchange.answer().body().utf8())
          .as(name)
          .doesNotContain("PRIVATE KEY", "\"eyJhbGciOi")
          .doesNotContainPattern("/(home|root|Users|tmp)/");
    }
  }

  @Test
  void replay_requestThatWasNotRecorded_isTold() throws Exception {
    try (Replay replay = Replay.of(FOLDER, "get-configmap")) {
      assertThatThrownBy(() -> Checks.configMaps(replay).get("other"))
          .isInstanceOf(ApiStatusException.class);
      assertThatThrownBy(replay::verify).hasMessageContaining("configmaps/other was not recorded");
    }
    try (Replay replay = Replay.of(FOLDER, "create-configmap")) {
      Checks.configMaps(replay).create(Checks.configMap("other"), STRICT);
      assertThatThrownBy(replay::verify)
          .hasMessageContaining("parameters: recorded was {}, sent was {fieldValidation=[Strict]}")
          .hasMessageContaining("body: recorded was {");
    }
  }

  /** The connection is lost, or ended by a proxy, in the middle of the last event. */
  @Test
  void watch_cutAnywhereInTheLastEvent_givesTheOthersAndEnds() throws Exception {
    Exchange whole = Exchange.read(FOLDER, "watch-events");
    ByteString body = whole.answer().body();
    int last = body.lastIndexOf(ByteString.encodeUtf8("\n"), body.size() - 2) + 1;
    for (int end : List.of(last, last + 1, (last + body.size()) / 2, body.size() - 2)) {
      try (Replay replay = Replay.of(FOLDER, cut(whole, end))) {
        List<WatchEvent<ConfigMap>> events =
            Checks.events(
                Checks.configMaps(replay)
                    .watch(
                        ListOptions.builder()
                            .allowWatchBookmarks(true)
                            .resourceVersion(replay.parameter("resourceVersion"))
                            .build()));

        assertThat(events)
            .as("cut after %d of %d bytes", end, body.size())
            .hasSize(3)
            .noneMatch(WatchEvent.Failed.class::isInstance);
        replay.verify();
      }
    }
  }

  /** A proxy has lost the rest of the response without an error. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "get-configmap",
        "list-page-2",
        "list-deployments-all-namespaces",
        "list-pods-protobuf",
        "list-pods-table",
        "list-pods-partial-metadata",
        "deployment-scale-get",
        "cr-list",
        "api-v1-resources",
        "apis-aggregated",
        "version"
      })
  void answer_withoutItsEnd_isOneThatCannotBeRead(String name) throws Exception {
    Exchange whole = Exchange.read(FOLDER, name);
    int length = whole.answer().body().size();
    for (int end : List.of(length / 3, length - 6)) { // Behind an object is what does not matter.
      try (Replay replay = Replay.of(FOLDER, cut(whole, end))) {
        assertThatThrownBy(() -> CHECKS.get(name).run(replay))
            .as("cut after %d of %d bytes", end, length)
            .isInstanceOf(CodecException.class);
      }
    }
  }

  private static Exchange cut(Exchange whole, int end) {
    Exchange.Answer answer = whole.answer();
    ByteString body = answer.body().substring(0, end);
    return new Exchange(
        whole.name(),
        whole.question(),
        new Exchange.Answer(answer.code(), answer.phrase(), answer.headers(), body));
  }
}
