package dev.clientgo.rest.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.clock.UncheckedInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Mappers of what a server serves. The Go tests named are in {@code restmapper/discovery_test.go},
 * {@code restmapper/shortcut_test.go} and {@code restmapper/category_expansion_test.go}.
 */
@Timeout(300)
final class MappersTest {

  private final Served served = new Served();

  /** A server with some resources, which counts its requests. */
  private static final class Served implements CachedDiscovery {
    private final Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    private final List<APIGroup> groups = new ArrayList<>();
    private boolean fresh = true;
    private boolean interrupted;
    private int asked;
    private int invalidated;

    /** Adds a group with its preferred version first. */
    Served group(String name, String... versions) {
      List<GroupVersion> all = new ArrayList<>();
      for (String version : versions) {
        all.add(new GroupVersion(name, version));
      }
      groups.add(new APIGroup(name, all, all.get(0)));
      return this;
    }

    Served resource(String group, String version, String plural, String kind, String... shorts) {
      APIResource resource =
          new APIResource(
              plural,
              kind.toLowerCase(java.util.Locale.ROOT),
              true,
              "",
              "",
              kind,
              List.of(),
              List.of(shorts),
              List.of("all"),
              null);
      resources
          .computeIfAbsent(new GroupVersion(group, version), unused -> new ArrayList<>())
          .add(resource);
      return this;
    }

    @Override
    public List<APIGroup> serverGroups() {
      return groups;
    }

    @Override
    public List<APIResource> serverResourcesForGroupVersion(GroupVersion version) {
      return resources.getOrDefault(version, List.of());
    }

    @Override
    public ServerResources serverGroupsAndResources() throws InterruptedException {
      if (interrupted) {
        throw new InterruptedException();
      }
      asked++;
      return new ServerResources(groups, resources, Map.of());
    }

    @Override
    public boolean isFresh() {
      return fresh;
    }

    @Override
    public void invalidate() {
      invalidated++;
      fresh = true;
    }
  }

  private static GroupVersionResource resource(String group, String version, String resource) {
    return new GroupVersionResource(group, version, resource);
  }

  private static GroupVersionKind kind(String group, String version, String kind) {
    return new GroupVersionKind(group, version, kind);
  }

  /* --------------- Discovery --------------- */

  /** TestRESTMapper. */
  @Test
  void mapper_prefersTheCoreAndPreferredVersions() throws Exception {
    served
        .group("extensions", "v1beta")
        .group("", "v1", "v2")
        .group("unpreferred", "v1", "v2beta1", "v2beta2")
        .resource("", "v1", "pods", "Pod")
        .resource("", "v2", "pods", "Pod")
        .resource("extensions", "v1beta", "jobs", "Job")
        .resource("extensions", "v1beta", "pods", "Pod")
        .resource("unpreferred", "v1", "broccoli", "Broccoli")
        .resource("unpreferred", "v2beta1", "broccoli", "Broccoli")
        .resource("unpreferred", "v2beta1", "peas", "Pea")
        .resource("unpreferred", "v2beta2", "broccoli", "Broccoli")
        .resource("unpreferred", "v2beta2", "peas", "Pea");
    RESTMapper mapper = DiscoveryRESTMapper.of(served.serverGroupsAndResources());

    assertThat(mapper.kindFor(resource("", "", "pods"))).isEqualTo(kind("", "v1", "Pod"));
    assertThat(mapper.kindFor(resource("", "v1", "pods"))).isEqualTo(kind("", "v1", "Pod"));
    assertThat(mapper.kindFor(resource("", "v2", "pods"))).isEqualTo(kind("", "v2", "Pod"));
    assertThat(mapper.resourceFor(resource("", "", "pods"))).isEqualTo(resource("", "v1", "pods"));
    assertThat(mapper.resourceFor(resource("", "v2", "pods")))
        .isEqualTo(resource("", "v2", "pods"));
    assertThat(mapper.resourceFor(resource("", "", "jobs")))
        .isEqualTo(resource("extensions", "v1beta", "jobs"));
    assertThat(mapper.kindFor(resource("", "", "pod"))).isEqualTo(kind("", "v1", "Pod"));
    assertThat(mapper.kindFor(resource("", "", "jobs")))
        .isEqualTo(kind("extensions", "v1beta", "Job"));
    assertThat(mapper.kindFor(resource("", "", "peas")))
        .isEqualTo(kind("unpreferred", "v2beta1", "Pea"));
    assertThat(mapper.restMapping(new GroupKind("", "Pod")).resource())
        .isEqualTo(resource("", "v1", "pods"));
    assertThat(mapper.restMapping(new GroupKind("unpreferred", "Pea")))
        .isEqualTo(
            new RESTMapping(
                resource("unpreferred", "v2beta1", "peas"),
                kind("unpreferred", "v2beta1", "Pea"),
                RESTMapping.Scope.NAMESPACE));
    assertThatThrownBy(() -> mapper.kindFor(resource("", "", "foo")))
        .isInstanceOf(NoMatchException.class);
  }

  @Test
  void mapper_leavesOutSubresources() throws Exception {
    served.group("", "v1").resource("", "v1", "pods", "Pod");
    served.resource("", "v1", "pods/eviction", "Eviction");
    RESTMapper mapper = DiscoveryRESTMapper.of(served.serverGroupsAndResources());

    assertThatThrownBy(() -> mapper.restMapping(new GroupKind("", "Eviction")))
        .isInstanceOf(NoMatchException.class);
  }

  /* --------------- Deferred --------------- */

  /** TestDeferredDiscoveryRESTMapper_CacheMiss: a cache that is not fresh is asked again. */
  @Test
  void deferred_asksWhenItIsUsedAndAgainOnAMiss() {
    served.group("a", "v1").resource("a", "v1", "foos", "Foo");
    served.fresh = false;
    DeferredDiscoveryRESTMapper mapper = DeferredDiscoveryRESTMapper.of(served, FakeClock.create());
    assertThat(served.asked).isZero();

    assertThat(mapper.kindFor(resource("", "", "foos"))).isEqualTo(kind("a", "v1", "Foo"));
    assertThat(served.asked).isEqualTo(1);
    assertThat(served.invalidated).isZero();

    assertThatThrownBy(() -> mapper.kindFor(resource("", "", "bars")))
        .isInstanceOf(NoMatchException.class);
    assertThat(served.asked).isEqualTo(2);
    assertThat(served.invalidated).isEqualTo(1);
  }

  /** Unlike client-go, a fresh cache is asked again, too: that is where a new CRD is seen. */
  @Test
  void deferred_noticesWhatIsNew() {
    served.group("a", "v1").resource("a", "v1", "foos", "Foo");
    FakeClock clock = FakeClock.create();
    DeferredDiscoveryRESTMapper mapper = DeferredDiscoveryRESTMapper.of(served, clock);
    mapper.kindFor(resource("", "", "foos"));

    served.resource("a", "v1", "bars", "Bar");
    assertThat(mapper.restMapping(new GroupKind("a", "Bar"), "v1").resource())
        .isEqualTo(resource("a", "v1", "bars"));
    assertThat(served.asked).isEqualTo(2);
  }

  @Test
  void deferred_sameMiss_asksOnceASecond() {
    served.group("a", "v1").resource("a", "v1", "foos", "Foo");
    FakeClock clock = FakeClock.create();
    DeferredDiscoveryRESTMapper mapper = DeferredDiscoveryRESTMapper.of(served, clock);
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> mapper.resourceFor(resource("", "", "bars")))
          .isInstanceOf(NoMatchException.class);
    }
    assertThat(served.asked).isEqualTo(2);

    served.resource("a", "v1", "bars", "Bar");
    clock.advance(Duration.ofSeconds(1));
    assertThat(mapper.resourceFor(resource("", "", "bars"))).isEqualTo(resource("a", "v1", "bars"));
    assertThat(mapper.kindsFor(resource("", "", "bars"))).hasSize(1);
    assertThat(mapper.resourcesFor(resource("", "", "bars"))).hasSize(1);
    assertThat(mapper.restMappings(new GroupKind("a", "Bar"))).hasSize(1);
    assertThat(mapper.singularize("bars")).isEqualTo("bar");
    assertThat(served.asked).isEqualTo(3);
  }

  @Test
  void deferred_reset_asksAgain() {
    served.group("a", "v1").resource("a", "v1", "foos", "Foo");
    DeferredDiscoveryRESTMapper mapper = DeferredDiscoveryRESTMapper.of(served, FakeClock.create());
    mapper.kindFor(resource("", "", "foos"));

    mapper.reset();
    mapper.kindFor(resource("", "", "foos"));

    assertThat(served.asked).isEqualTo(2);
    assertThat(served.invalidated).isEqualTo(1);
  }

  @Test
  void deferred_interrupted_keepsTheFlag() {
    served.interrupted = true;
    DeferredDiscoveryRESTMapper mapper = DeferredDiscoveryRESTMapper.of(served);

    assertThatThrownBy(() -> mapper.kindFor(resource("", "", "foos")))
        .isInstanceOf(UncheckedInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /* --------------- Short names --------------- */

  private final List<String> warnings = new ArrayList<>();

  private ShortcutExpander shortcuts() {
    return ShortcutExpander.of(
        DeferredDiscoveryRESTMapper.of(served, FakeClock.create()), served, warnings::add);
  }

  /** TestReplaceAliases, TestKindFor. */
  @Test
  void shortName_standsForTheFirstResourceThatHasIt() {
    served
        .group("autoscaling", "v1", "v2")
        .group("", "v1")
        .group("foo", "v1")
        .group("storage.k8s.io", "v1")
        .resource(
            "autoscaling",
            "v1",
            "superhorizontalpodautoscalers",
            "SuperHorizontalPodAutoscaler",
            "hpa")
        .resource("autoscaling", "v1", "horizontalpodautoscalers", "HorizontalPodAutoscaler", "hpa")
        .resource("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", "hpa")
        .resource("", "v1", "pods", "Pod", "po")
        .resource("foo", "v1", "deployments", "Deployment", "dpl", "pods", "pod")
        .resource("storage.k8s.io", "v1", "storageclasses", "StorageClass", "sc");

    assertThat(shortcuts().resourceFor(resource("", "", "storageclasses")))
        .isEqualTo(resource("storage.k8s.io", "v1", "storageclasses"));
    assertThat(warnings).isEmpty();
    assertThat(shortcuts().resourceFor(resource("", "", "hpa")))
        .isEqualTo(resource("autoscaling", "v1", "superhorizontalpodautoscalers"));
    assertThat(warnings)
        .containsExactly(
            "short name \"hpa\" could also match lower priority resource"
                + " horizontalpodautoscalers.autoscaling");
    assertThat(shortcuts().kindFor(resource("", "", "dpl")))
        .isEqualTo(kind("foo", "v1", "Deployment"));
    assertThat(shortcuts().kindsFor(resource("", "", "sc"))).hasSize(1);
    assertThat(shortcuts().resourcesFor(resource("", "", "sc"))).hasSize(1);
    assertThat(shortcuts().singularize("sc")).isEqualTo("storageclass");
    // A name that is a plural or a singular is not a short one.
    assertThat(shortcuts().resourceFor(resource("", "", "pods")))
        .isEqualTo(resource("", "v1", "pods"));
    assertThat(shortcuts().resourceFor(resource("", "", "pod")))
        .isEqualTo(resource("", "v1", "pods"));
    // The beginning of a group is enough, and another group does not fit.
    assertThat(shortcuts().resourceFor(resource("stor", "", "sc")))
        .isEqualTo(resource("storage.k8s.io", "v1", "storageclasses"));
    assertThatThrownBy(() -> shortcuts().resourceFor(resource("foo", "", "sc")))
        .isInstanceOf(NoMatchException.class);
    assertThat(shortcuts().restMapping(new GroupKind("", "Pod"))).isNotNull();
    assertThat(shortcuts().restMappings(new GroupKind("", "Pod"))).hasSize(1);
  }

  /** TestWarnAmbigious: each resource once, whatever its versions. */
  @Test
  void shortName_ofManyResources_warnsOfEachOther() {
    served
        .group("autoscaling", "v1alpha1", "v1")
        .group("foo", "v1", "v1beta1")
        .group("bar", "v1")
        .resource("autoscaling", "v1alpha1", "scalers", "Scaler", "hpa")
        .resource("autoscaling", "v1", "scalers", "Scaler", "hpa")
        .resource("foo", "v1", "foos", "Foo", "hpa")
        .resource("foo", "v1beta1", "foos", "Foo", "hpa")
        .resource("bar", "v1", "bars", "Bar", "hpa");

    assertThat(shortcuts().resourceFor(resource("", "", "hpa")).resource()).isEqualTo("scalers");
    assertThat(warnings)
        .containsExactly(
            "short name \"hpa\" could also match lower priority resource foos.foo",
            "short name \"hpa\" could also match lower priority resource bars.bar");
  }

  /** TestWarnAmbigious: names of built-in kinds that a definition takes, too. */
  @Test
  void shortName_ofABuiltInKind_goesFirst_andAFullNameWithoutAWarning() {
    served
        .group("", "v1")
        .group("acme.com", "v1", "v1beta1")
        .resource("", "v1", "pods", "Pod", "po")
        .resource("acme.com", "v1", "poddlers", "Poddler", "po", "pods", "pod")
        .resource("acme.com", "v1beta1", "poddlers", "Poddler", "po", "pods", "pod");

    for (String name : List.of("pods", "pod")) {
      assertThat(shortcuts().resourceFor(resource("", "", name)))
          .isEqualTo(resource("", "v1", "pods"));
    }
    assertThat(warnings).isEmpty();
    assertThat(shortcuts().resourceFor(resource("", "", "po")))
        .isEqualTo(resource("", "v1", "pods"));
    assertThat(warnings)
        .containsExactly(
            "short name \"po\" could also match lower priority resource poddlers.acme.com");
  }

  /** TestWarnAmbigious, TestKindFor: versions are no ambiguity, and the group may be named. */
  @Test
  void shortName_ofOneResource_hasNoWarning() {
    served
        .group("autoscaling", "v1alpha1", "v1")
        .resource("autoscaling", "v1alpha1", "scalers", "Scaler", "hpa")
        .resource("autoscaling", "v1", "scalers", "Scaler", "hpa");

    assertThat(shortcuts().kindFor(resource("", "", "hpa")).kind()).isEqualTo("Scaler");
    assertThat(shortcuts().kindFor(resource("autoscaling", "", "hpa")).kind()).isEqualTo("Scaler");
    assertThat(warnings).isEmpty();
  }

  /** TestKindForWithNewCRDs. */
  @Test
  void shortName_ofANewResource_isKnown() {
    served.group("a", "v1").resource("a", "v1", "foos", "Foo");
    CachedDiscovery slow =
        new CachedDiscovery() {
          private ServerResources known = ServerResources.EMPTY;

          @Override
          public List<APIGroup> serverGroups() {
            return known.groups();
          }

          @Override
          public List<APIResource> serverResourcesForGroupVersion(GroupVersion version) {
            return known.resources().getOrDefault(version, List.of());
          }

          @Override
          public ServerResources serverGroupsAndResources() {
            return known;
          }

          @Override
          public boolean isFresh() {
            return false;
          }

          @Override
          public void invalidate() {
            try {
              known = served.serverGroupsAndResources();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        };
    ShortcutExpander mapper =
        ShortcutExpander.of(
            DeferredDiscoveryRESTMapper.of(slow, FakeClock.create()), slow, warnings::add);
    served.resource("a", "v1", "bars", "Bar", "b");

    assertThat(mapper.kindFor(resource("", "", "b"))).isEqualTo(kind("a", "v1", "Bar"));
  }

  /** A person writes names as for kubectl. */
  @Test
  void find_takesResourcesAndKindsAsKubectlDoes() {
    served
        .group("", "v1")
        .group("apps", "v1", "v1beta1")
        .resource("", "v1", "pods", "Pod", "po")
        .resource("apps", "v1", "deployments", "Deployment", "deploy")
        .resource("apps", "v1beta1", "deployments", "Deployment", "deploy");
    ShortcutExpander mapper = shortcuts();

    for (String written :
        List.of(
            "deploy",
            "deploy.apps",
            "deployment",
            "deployments.apps",
            "deployments.v1.apps",
            "Deployment",
            "Deployment.apps",
            "Deployment.v1.apps")) {
      assertThat(mapper.find(written).resource())
          .as(written)
          .isEqualTo(resource("apps", "v1", "deployments"));
    }
    assertThat(mapper.find("deployments.v1beta1.apps").resource().version()).isEqualTo("v1beta1");
    assertThat(mapper.find("po").kind()).isEqualTo(kind("", "v1", "Pod"));
    assertThatThrownBy(() -> mapper.find("widgets.example.com"))
        .hasMessage("no matches for resource \"widgets.example.com\"");
  }

  @Test
  void shortName_nothingFits_errorNamesWhatTheCallerWrote() {
    served
        .group("autoscaling", "v2")
        .resource(
            "autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", "hpa");

    assertThatThrownBy(() -> shortcuts().resourceFor(resource("autoscal", "v9", "hpa")))
        .isInstanceOf(KubernetesException.class)
        .hasMessage("no matches for resource \"hpa\" in version \"autoscal/v9\"");
    assertThatThrownBy(() -> shortcuts().kindFor(resource("autoscal", "v9", "hpa")))
        .hasMessage("no matches for resource \"hpa\" in version \"autoscal/v9\"");
    assertThatThrownBy(() -> shortcuts().singularize("hpas"))
        .hasMessage("no matches for resource \"hpas\"");
  }

  /* --------------- Categories --------------- */

  /** TestCategoryExpansion, TestDiscoveryCategoryExpander. */
  @Test
  void category_standsForItsResources() throws Exception {
    served
        .group("", "v1", "v2")
        .group("apps", "v1")
        .resource("", "v1", "pods", "Pod")
        .resource("", "v2", "pods", "Pod")
        .resource("apps", "v1", "deployments", "Deployment");
    CategoryExpander fixed =
        CategoryExpander.of(
            Map.of("all", List.of(new GroupResource("x", "xs"), new GroupResource("", "pods"))));

    assertThat(CategoryExpander.of(served).expand("all"))
        .containsExactly(new GroupResource("", "pods"), new GroupResource("apps", "deployments"));
    assertThat(CategoryExpander.of(served).expand("none")).isEmpty();
    assertThat(fixed.expand("none")).isEmpty();
    assertThat(CategoryExpander.union(List.of(fixed, CategoryExpander.of(served))).expand("all"))
        .containsExactly(
            new GroupResource("x", "xs"),
            new GroupResource("", "pods"),
            new GroupResource("apps", "deployments"));
  }
}
