package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.NAMESPACE;
import static dev.clientgo.kubernetes.Checks.configMap;
import static dev.clientgo.kubernetes.Checks.configMaps;
import static dev.clientgo.kubernetes.Checks.names;
import static dev.clientgo.kubernetes.Checks.pods;
import static dev.clientgo.kubernetes.Checks.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.discovery.OpenAPIClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reading one object, and lists of many. */
final class ListChecks {

  private ListChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("get-configmap", ListChecks::get);
    all.put("get-not-found-404", ListChecks::notFound);
    all.put("list-page-1", ListChecks::firstPage);
    all.put("list-page-2", ListChecks::secondPage);
    all.put("list-page-3", it -> allPages(it.and("list-page-1").and("list-page-2")));
    all.put("list-rv0", ListChecks::fromCache);
    all.put("list-empty", ListChecks::empty);
    all.put("list-deployments-all-namespaces", ListChecks::deployments);
    all.put("list-configmaps-gzip", ListChecks::gzip);
    all.put("list-continue-expired-410", ListChecks::continueExpired);
    all.put("list-continue-inconsistent", ListChecks::continueInconsistent);
    all.put("list-exact-expired-410", ListChecks::exactExpired);
    all.put("list-bad-continue-400", ListChecks::badContinue);
    all.put("list-bad-field-selector-400", ListChecks::badFieldSelector);
    all.put("list-bad-label-selector-400", ListChecks::badLabelSelector);
    all.put("list-rv-match-without-rv-422", ListChecks::matchWithoutVersion);
    all.put("list-rv-too-large-504", ListChecks::versionTooLarge);
  }

  private static ListOptions.Builder options() {
    return ListOptions.builder();
  }

  private static void get(Replay it) throws InterruptedException {
    ConfigMap map = configMaps(it).get("wire-a");

    assertThat(map.data()).isEqualTo(configMap("").data());
    assertThat(map.metadata().labels()).isEqualTo(Map.of("app", "wire"));
  }

  private static void notFound(Replay it) {
    ApiStatusException error =
        refused(404, StatusReason.NOT_FOUND, () -> configMaps(it).get("absent"));

    assertThat(error.isNotFound()).isTrue();
    assertThat(error).hasMessage("configmaps \"absent\" not found");
    assertThat(error.status().details().name()).isEqualTo("absent");
    assertThat(error.status().details().kind()).isEqualTo("configmaps");
  }

  private static ListMeta page(Replay it, ListOptions.Builder options, List<ConfigMap> items)
      throws InterruptedException {
    ListMeta metadata = configMaps(it).list(options.labelSelector("app=wire").build(), items::add);
    assertThat(metadata.resourceVersion())
        .isEqualTo(it.json().at("/metadata/resourceVersion").asString());
    return metadata;
  }

  private static void firstPage(Replay it) throws InterruptedException {
    List<ConfigMap> items = new ArrayList<>();

    ListMeta metadata = page(it, options().limit(3L), items);

    assertThat(names(items)).containsExactly("wire-a", "wire-page-0", "wire-page-1");
    assertThat(it.other("list-page-2").question().target())
        .endsWith("&continue=" + metadata.continueToken());
  }

  private static void secondPage(Replay it) throws InterruptedException {
    List<ConfigMap> items = new ArrayList<>();

    ListMeta metadata =
        page(it, options().limit(3L).continueToken(it.parameter("continue")), items);

    assertThat(names(items)).containsExactly("wire-page-2", "wire-page-3", "wire-page-4");
    assertThat(metadata.continueToken()).isNotEmpty().isNotEqualTo(it.parameter("continue"));
    assertThat(items.get(2).data()).isEqualTo(configMap("").data());
    assertThat(items.get(2).kind()).isEqualTo("ConfigMap");
  }

  private static void allPages(Replay it) throws InterruptedException {
    ResourceList<ConfigMap> list =
        configMaps(it).list(options().limit(3L).labelSelector("app=wire").build());

    assertThat(names(list.items()))
        .hasSize(9)
        .startsWith("wire-a", "wire-page-0")
        .endsWith("wire-page-6", "wire-warn");
    assertThat(list.metadata().resourceVersion())
        .isEqualTo(it.json().at("/metadata/resourceVersion").asString());
    assertThat(list.metadata().continueToken()).isNull();
  }

  private static void fromCache(Replay it) throws InterruptedException {
    ResourceList<ConfigMap> list = configMaps(it).list(options().resourceVersion("0").build());

    assertThat(list.items()).hasSameSizeAs(it.json().get("items"));
    assertThat(names(list.items())).contains("wire-a", "wire-ssa", "wire-page-6");
  }

  private static void empty(Replay it) throws InterruptedException {
    ResourceList<Pod> list = it.clients().core().v1().pods("kube-public").list(ListOptions.NONE);

    assertThat(list.items()).isEmpty();
    assertThat(Long.parseLong(list.metadata().resourceVersion())).isPositive();
  }

  private static void deployments(Replay it) throws InterruptedException {
    List<Deployment> items = it.clients().apps().v1().deployments().list(ListOptions.NONE).items();

    assertThat(names(items)).containsExactly("web");
    Deployment web = items.get(0);
    assertThat(web.metadata().namespace()).isEqualTo(NAMESPACE);
    assertThat(web.spec().replicas()).isEqualTo(3);
    assertThat(web.spec().selector().matchLabels()).isEqualTo(Map.of("app", "web"));
    assertThat(web.spec().strategy().rollingUpdate().maxSurge()).isEqualTo(IntOrString.of("25%"));
    assertThat(web.status().replicas()).isEqualTo(3);
    assertThat(web.status().conditions())
        .filteredOn(condition -> condition.type().equals("Available"))
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.status()).isEqualTo("False");
              assertThat(condition.reason()).isEqualTo("MinimumReplicasUnavailable");
            });
  }

  /** Another recorded document has this name, and may come compressed. */
  private static void gzip(Replay it) throws InterruptedException {
    String target = it.exchange().question().target();
    if (target.startsWith("/openapi")) {
      byte[] document = OpenAPIClient.document(it.client(), target).schema(OpenAPIClient.JSON);
      JsonNode schemas = JsonMapper.shared().readTree(document).at("/components/schemas");
      assertThat(schemas.has("io.k8s.api.coordination.v1.Lease")).isTrue();
      return;
    }
    assertThat(it.exchange().answer().headers().get("Content-Encoding")).isEqualTo("gzip");

    List<ConfigMap> maps =
        it.clients().core().v1().configMaps("kube-public").list(ListOptions.NONE).items();

    assertThat(names(maps)).containsExactly("wire-fixed", "wire-large");
    assertThat(maps.get(1).data().get("k")).isEqualTo("0123456789abcdef".repeat(10_000));
  }

  /* --------------- Versions --------------- */

  /** A server that still has that version, in its watch cache, answers with the page. */
  private static void continueExpired(Replay it) throws InterruptedException {
    List<ConfigMap> items = new ArrayList<>();
    ListOptions.Builder options = options().limit(2L).continueToken(it.parameter("continue"));
    if (!it.isError()) {
      page(it, options, items);
      assertThat(names(items)).containsExactly("wire-exp-2", "wire-exp-3");
      return;
    }
    ApiStatusException error =
        refused(
            410,
            StatusReason.EXPIRED,
            () -> configMaps(it).list(options.labelSelector("app=wire").build(), items::add));

    assertThat(error.isResourceExpired()).isTrue();
    assertThat(error.status().metadata().continueToken()).isNotEmpty();
    assertThat(items).isEmpty();
  }

  private static void continueInconsistent(Replay it) throws InterruptedException {
    List<ConfigMap> items = new ArrayList<>();

    page(it, options().limit(2L).continueToken(it.parameter("continue")), items);

    assertThat(names(items)).containsExactly("wire-exp-2", "wire-exp-3");
  }

  private static void exactExpired(Replay it) throws InterruptedException {
    ListOptions options =
        options().resourceVersion("1").resourceVersionMatch(ResourceVersionMatch.EXACT).build();
    if (!it.isError()) {
      assertThat(configMaps(it).list(options).items()).isEmpty();
      return;
    }
    ApiStatusException error =
        refused(410, StatusReason.EXPIRED, () -> configMaps(it).list(options));

    assertThat(error.isResourceExpired()).isTrue();
    assertThat(error).hasMessageContaining("too old");
  }

  private static void matchWithoutVersion(Replay it) {
    ApiStatusException error =
        refused(
            422,
            StatusReason.INVALID,
            () ->
                configMaps(it)
                    .list(options().resourceVersionMatch(ResourceVersionMatch.EXACT).build()));

    assertForbiddenMatch(error);
  }

  static void assertForbiddenMatch(ApiStatusException error) {
    assertThat(error.isInvalid()).isTrue();
    assertThat(error.status().details().group()).isEqualTo("meta.k8s.io");
    assertThat(error.status().details().kind()).isEqualTo("ListOptions");
    assertThat(error.status().details().causes())
        .extracting(StatusCause::field, StatusCause::reason)
        .containsExactly(tuple("resourceVersionMatch", CauseType.FORBIDDEN));
  }

  /** The server asks us to come back, which would take its time. */
  private static void versionTooLarge(Replay it) {
    ListOptions options =
        options().resourceVersion("99999999").timeout(Duration.ofSeconds(1)).build();

    ApiStatusException error =
        refused(
            504,
            StatusReason.TIMEOUT,
            () ->
                it.client()
                    .get()
                    .groupVersion(new GroupVersion("", "v1"))
                    .namespace(NAMESPACE)
                    .resource("configmaps")
                    .options(options)
                    .maxRetries(0)
                    .execute());

    assertThat(error.isTimeout()).isTrue();
    assertThat(error.retryAfter()).contains(Duration.ofSeconds(1));
    assertThat(error.hasStatusCause(CauseType.RESOURCE_VERSION_TOO_LARGE)).isTrue();
    assertThat(error).hasMessageContaining("Too large resource version: 99999999, current: ");
  }

  /* --------------- Nonsense --------------- */

  private static void badContinue(Replay it) {
    ListOptions options = options().limit(3L).continueToken("bm90YXRva2Vu").build();

    ApiStatusException error =
        refused(400, StatusReason.BAD_REQUEST, () -> configMaps(it).list(options));

    assertThat(error).hasMessageStartingWith("invalid continue token");
  }

  private static void badFieldSelector(Replay it) {
    ListOptions options = options().fieldSelector("spec.nope=1").build();

    ApiStatusException error = refused(400, StatusReason.BAD_REQUEST, () -> pods(it).list(options));

    assertThat(error).hasMessage("field label not supported: spec.nope");
  }

  private static void badLabelSelector(Replay it) {
    ListOptions options = options().labelSelector("a b c").build();

    ApiStatusException error =
        refused(400, StatusReason.BAD_REQUEST, () -> configMaps(it).list(options));

    assertThat(error).hasMessageStartingWith("unable to parse requirement: found 'b'");
  }
}
