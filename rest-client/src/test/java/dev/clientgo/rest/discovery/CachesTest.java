package dev.clientgo.rest.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.FakeClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keeping what a server serves. The Go tests named are in {@code
 * discovery/cached/memory/memcache_test.go} and {@code
 * discovery/cached/disk/cached_discovery_test.go}.
 */
@Timeout(300)
final class CachesTest {

  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion APPS = new GroupVersion("apps", "v1");

  @TempDir private Path directory;
  private DiscoveryServer server;
  private final FakeClock clock = FakeClock.create();

  @BeforeEach
  void start() throws Exception {
    server = new DiscoveryServer();
    server
        .json("/api", "{\"versions\":[\"v1\"]}")
        .legacyResources("/api/v1", "pods Pod po")
        .legacyGroups("apps/v1")
        .legacyResources("/apis/apps/v1", "deployments Deployment deploy");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /* --------------- Memory --------------- */

  /** TestClient, TestOpenAPIMemCache. */
  @Test
  void memory_asksOnceUntilItIsInvalidated() throws Exception {
    MemCacheClient cache = MemCacheClient.of(server.discovery());
    assertThat(cache.isFresh()).isFalse();
    assertThat(server.requests()).isEmpty();

    assertThat(cache.serverResourcesForGroupVersion(APPS)).hasSize(1);
    assertThat(cache.isFresh()).isTrue();
    assertThat(server.requests()).hasSize(4);
    assertThat(cache.serverGroups()).hasSize(2);
    assertThat(cache.serverGroupsAndResources().resources()).containsOnlyKeys(CORE, APPS);
    assertThat(server.requests()).isEmpty();

    cache.invalidate();
    assertThat(cache.isFresh()).isFalse();
    server.legacyResources("/apis/apps/v1", "deployments Deployment", "daemonsets DaemonSet");
    assertThat(cache.serverResourcesForGroupVersion(APPS)).hasSize(2);
  }

  /** TestRetryAfterCancellation: who was interrupted has not found out that there is nothing. */
  @Test
  void memory_interrupted_asksAgain() throws Exception {
    DiscoveryClient client = server.discovery();
    AtomicBoolean first = new AtomicBoolean(true);
    MemCacheClient cache =
        MemCacheClient.of(
            new Discovery() {
              @Override
              public List<APIGroup> serverGroups() throws InterruptedException {
                return client.serverGroups();
              }

              @Override
              public List<APIResource> serverResourcesForGroupVersion(GroupVersion version)
                  throws InterruptedException {
                return client.serverResourcesForGroupVersion(version);
              }

              @Override
              public ServerResources serverGroupsAndResources() throws InterruptedException {
                if (first.getAndSet(false)) {
                  Thread.currentThread().interrupt();
                }
                return client.serverGroupsAndResources();
              }
            });

    assertThatThrownBy(() -> cache.serverResourcesForGroupVersion(APPS))
        .isInstanceOf(InterruptedException.class);
    assertThat(cache.isFresh()).isFalse();
    assertThat(cache.serverResourcesForGroupVersion(APPS)).hasSize(1);
    assertThat(cache.isFresh()).isTrue();
  }

  /** TestServerGroupsFails. */
  @Test
  void memory_withoutGroups_asksAgain() throws Exception {
    MemCacheClient cache = MemCacheClient.of(server.discovery());
    server.fail("/apis", 500);
    assertThatThrownBy(cache::serverGroups).isInstanceOf(ApiStatusException.class);
    assertThat(cache.isFresh()).isFalse();

    server.legacyGroups("apps/v1");
    assertThat(cache.serverGroups()).hasSize(2);
  }

  /** TestPartialRetryableFailure. */
  @Test
  void memory_busyVersion_isAskedForAgain() throws Exception {
    MemCacheClient cache = MemCacheClient.of(server.discovery());
    server.fail("/apis/apps/v1", 503);
    assertThatThrownBy(() -> cache.serverResourcesForGroupVersion(APPS))
        .isInstanceOf(ApiStatusException.class);
    assertThat(cache.serverGroupsAndResources().failures()).containsOnlyKeys(APPS);
    assertThat(cache.serverResourcesForGroupVersion(CORE)).hasSize(1);
    server.requests();

    server.legacyResources("/apis/apps/v1", "deployments Deployment");

    assertThat(cache.serverResourcesForGroupVersion(APPS)).hasSize(1);
    assertThat(server.requests()).containsExactly("/apis/apps/v1");
    assertThat(cache.serverGroupsAndResources().isComplete()).isTrue();
    assertThat(server.requests()).isEmpty();
  }

  /** TestPartialPermanentFailure. */
  @Test
  void memory_otherFailure_isKept() throws Exception {
    MemCacheClient cache = MemCacheClient.of(server.discovery());
    server.fail("/apis/apps/v1", 403);
    assertThatThrownBy(() -> cache.serverResourcesForGroupVersion(APPS))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isForbidden()).isTrue());
    server.requests();

    server.legacyResources("/apis/apps/v1", "deployments Deployment");
    assertThatThrownBy(() -> cache.serverResourcesForGroupVersion(APPS))
        .isInstanceOf(ApiStatusException.class);
    assertThat(server.requests()).isEmpty();

    cache.invalidate();
    assertThat(cache.serverResourcesForGroupVersion(APPS)).hasSize(1);
  }

  @Test
  void memory_emptyVersion_isAFailure() throws Exception {
    MemCacheClient cache = MemCacheClient.of(server.discovery());
    server.legacyResources("/apis/apps/v1");

    assertThat(cache.serverGroupsAndResources().problem().orElseThrow())
        .endsWith("apps/v1: received empty response for: apps/v1");
    assertThatThrownBy(() -> cache.serverResourcesForGroupVersion(new GroupVersion("x", "v1")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
  }

  /* --------------- Disk --------------- */

  private CachedDiscoveryClient disk() {
    return CachedDiscoveryClient.of(server.discovery(), directory, Duration.ofHours(6), clock);
  }

  /** The files are written by the clock of the machine; this is how old they become. */
  private void age(Path... files) throws Exception {
    for (Path file : files) {
      Files.setLastModifiedTime(file, FileTime.from(clock.now()));
    }
  }

  private Path[] files() throws Exception {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toArray(Path[]::new);
    }
  }

  /** TestCachedDiscoveryClient_Fresh, TestNewCachedDiscoveryClient_TTL. */
  @Test
  void disk_isSharedUntilItIsOld() throws Exception {
    ServerResources asked = disk().serverGroupsAndResources();
    age(files());
    assertThat(server.requests()).hasSize(4);

    CachedDiscoveryClient other = disk();
    assertThat(other.isFresh()).isTrue();
    assertThat(other.serverGroupsAndResources()).isEqualTo(asked);
    assertThat(other.serverGroups()).isEqualTo(asked.groups());
    assertThat(other.serverResourcesForGroupVersion(APPS)).isEqualTo(asked.resources().get(APPS));
    assertThat(other.isFresh()).isFalse();
    assertThat(server.requests()).isEmpty();

    clock.advance(Duration.ofHours(6).plusSeconds(1));
    assertThat(disk().serverGroupsAndResources()).isEqualTo(asked);
    assertThat(server.requests()).hasSize(4);
  }

  /** TestCachedDiscoveryClient_Fresh, its second half. */
  @Test
  void disk_invalidated_readsOnlyWhatItHasWritten() throws Exception {
    disk().serverGroupsAndResources();
    age(files());
    CachedDiscoveryClient cache = disk();
    cache.serverGroupsAndResources();
    server.requests();

    cache.invalidate();
    assertThat(cache.isFresh()).isTrue();
    cache.serverGroupsAndResources();
    age(files());
    assertThat(server.requests()).hasSize(4);
    assertThat(cache.isFresh()).isTrue();

    cache.serverGroupsAndResources();
    assertThat(server.requests()).isEmpty();
    assertThat(cache.isFresh()).isTrue();
  }

  /** TestCachedDiscoveryClientUnaggregatedServerGroups: the form on disk is the older one. */
  @Test
  void disk_ofAnAggregatedServer_hasTheOlderForm() throws Exception {
    server
        .aggregated("/api", "")
        .aggregated(
            "/apis",
            "{\"metadata\":{\"name\":\"apps\"},\"versions\":[{\"version\":\"v1\","
                + "\"freshness\":\"Current\",\"resources\":[{\"resource\":\"deployments\","
                + "\"responseKind\":{\"kind\":\"Deployment\"},\"scope\":\"Namespaced\","
                + "\"singularResource\":\"deployment\",\"verbs\":[\"get\"],"
                + "\"categories\":[\"all\"]}]}]}");

    ServerResources served = disk().serverGroupsAndResources();
    age(files());

    assertThat(Files.readString(directory.resolve("servergroups.json")))
        .contains("\"kind\":\"APIGroupList\"", "\"groupVersion\":\"apps/v1\"");
    assertThat(Files.readString(directory.resolve("apps/v1/serverresources.json")))
        .contains("\"kind\":\"APIResourceList\"", "\"categories\":[\"all\"]");
    assertThat(disk().serverGroupsAndResources()).isEqualTo(served);
  }

  /** TestNewCachedDiscoveryClient_PathPerm. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void disk_isNotForOthers() throws Exception {
    disk().serverGroupsAndResources();

    for (Path file : files()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-rw----");
      assertThat(file.getFileName().toString()).endsWith(".json");
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("apps/v1"))))
        .isIn("rwxr-x---", "rwx------");
  }

  /** A server cannot choose the files that the cache writes. */
  @Test
  void disk_namesThatLeadElsewhere_areNotKept() throws Exception {
    String resources =
        "\"resources\":[{\"resource\":\"x\",\"responseKind\":{\"kind\":\"X\"},\"verbs\":[\"get\"]}]";
    String versions =
        Stream.of("..", "/tmp/evil", "a/b", "C:evil", "v1.", "v1")
            .map(version -> "{\"version\":\"" + version + "\"," + resources + "}")
            .collect(Collectors.joining(","));
    String groups =
        Stream.of("..", "../..", "/tmp/evil", "good.example.com")
            .map(
                name ->
                    "{\"metadata\":{\"name\":\"" + name + "\"},\"versions\":[" + versions + "]}")
            .collect(Collectors.joining(","));
    server.aggregated("/api", "").aggregated("/apis", groups);
    Path folder = directory.resolve("a/b");

    ServerResources served =
        CachedDiscoveryClient.of(server.discovery(), folder, Duration.ofHours(6), clock)
            .serverGroupsAndResources();

    assertThat(served.resources()).hasSize(24);
    assertThat(Stream.of(files()).map(folder::relativize).map(Path::toString))
        .containsExactlyInAnyOrder(
            "servergroups.json", Path.of("good.example.com/v1/serverresources.json").toString());
    assertThat(Path.of("/tmp/evil")).doesNotExist();
  }

  @Test
  void disk_brokenFile_isAsGoodAsNone() throws Exception {
    CachedDiscoveryClient cache = disk();
    cache.serverGroupsAndResources();
    age(files());
    for (String broken : List.of("", "{\"groups\":", "[]")) {
      Files.writeString(directory.resolve("servergroups.json"), broken);
      age(files());
      assertThat(disk().serverGroups()).hasSize(2);
    }
  }

  /** Failed and empty groups are requested each time; the rest is not. */
  @Test
  void disk_failure_isNotKept() throws Exception {
    server.fail("/apis/apps/v1", 503);
    assertThat(disk().serverGroupsAndResources().failures()).containsOnlyKeys(APPS);
    age(files());
    server.requests();

    assertThat(disk().serverGroupsAndResources().failures()).containsOnlyKeys(APPS);
    assertThat(server.requests()).containsExactly("/apis/apps/v1");
  }

  @Test
  void disk_thatCannotBeWritten_isNoObstacle() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));

    CachedDiscoveryClient cache =
        CachedDiscoveryClient.of(server.discovery(), file, Duration.ofHours(6));

    assertThat(cache.serverGroupsAndResources().groups()).hasSize(2);
  }

  /* --------------- What the server gives an ETag --------------- */

  private static String apps(String resource) {
    return "{\"metadata\":{\"name\":\"apps\"},\"versions\":[{\"version\":\"v1\",\"resources\":[{\"resource\":\""
        + resource
        + "\",\"responseKind\":{\"kind\":\"Any\"},\"verbs\":[\"get\"]}]}]}";
  }

  private void tagged() {
    server.tagged("/api", "\"1\"", "").tagged("/apis", "\"2\"", apps("deployments"));
  }

  private static List<String> names(Discovery discovery) throws Exception {
    return discovery.serverResourcesForGroupVersion(APPS).stream().map(APIResource::name).toList();
  }

  /** TestCacheRoundTripper, in memory too. */
  @Test
  void invalidated_asksWhetherItHasChanged() throws Exception {
    tagged();
    MemCacheClient cache = MemCacheClient.of(server.discovery());
    assertThat(names(cache)).containsExactly("deployments");
    assertThat(server.requests()).containsExactly("/api", "/apis");

    cache.invalidate();
    assertThat(names(cache)).containsExactly("deployments");
    assertThat(server.requests()).containsExactly("/api unchanged", "/apis unchanged");

    server.tagged("/apis", "\"3\"", apps("daemonsets"));
    cache.invalidate();
    assertThat(names(cache)).containsExactly("daemonsets");
    cache.invalidate();
    assertThat(names(cache)).containsExactly("daemonsets");
    assertThat(server.requests())
        .containsExactly("/api unchanged", "/apis", "/api unchanged", "/apis unchanged");
  }

  /** TestCacheRoundTripper. */
  @Test
  void expired_onDisk_asksWhetherItHasChanged_inAnotherProgramToo() throws Exception {
    tagged();
    Path http = directory.resolve("http");
    Path files = directory.resolve("files");
    CachedDiscoveryClient.of(server.discovery().cached(http), files, Duration.ZERO, clock)
        .serverGroupsAndResources();
    assertThat(server.requests()).containsExactly("/api", "/apis");

    CachedDiscoveryClient other =
        CachedDiscoveryClient.of(server.discovery().cached(http), files, Duration.ZERO, clock);
    other.invalidate();
    assertThat(other.serverGroupsAndResources().resources()).containsOnlyKeys(APPS);
    assertThat(server.requests()).containsExactly("/api unchanged", "/apis unchanged");
  }

  /** TestSumDiskCache. */
  @Test
  void damagedOrStrange_onDisk_isAsGoodAsNone() throws Exception {
    tagged();
    Path http = directory.resolve("http");
    assertThat(server.discovery().cached(http).serverGroups()).hasSize(1);
    server.requests();
    try (Stream<Path> files = Files.list(http)) {
      for (Path file : files.toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }

    assertThat(server.discovery().cached(http).serverGroups()).hasSize(1);

    assertThat(server.requests()).containsExactly("/api", "/apis");
  }

  @Test
  void withoutATag_asksForAll() throws Exception {
    DiscoveryClient discovery = server.discovery();
    discovery.serverGroups();
    discovery.serverGroups();

    assertThat(server.requests()).containsExactly("/api", "/apis", "/api", "/apis");
  }
}
