package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ListerTest {

  private static final GroupResource DEPLOYMENTS = new GroupResource("apps", "deployments");

  private static final ApiObject WEB = ApiObject.of("ns/web", "1").withLabel("app", "web");
  private static final ApiObject DB = ApiObject.of("ns/db", "2");
  private static final ApiObject OTHER_WEB = ApiObject.of("other/web", "3").withLabel("app", "web");
  private static final ApiObject OF_CLUSTER = ApiObject.of("cluster", "4");

  static List<Indexer<ApiObject>> indexers() {
    Indexer<ApiObject> indexed =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()));
    Indexer<ApiObject> withoutIndex = Indexer.create(KeyFunction.metaNamespace());
    List<Indexer<ApiObject>> indexers = List.of(indexed, withoutIndex);
    indexers.forEach(indexer -> indexer.replace(List.of(WEB, DB, OTHER_WEB, OF_CLUSTER), "4"));
    return indexers;
  }

  /** A lister lists the selected objects of all namespaces (TestListAll). */
  @ParameterizedTest
  @MethodSource("indexers")
  void list_givesSelectedObjectsOfAllNamespaces(Indexer<ApiObject> indexer) {
    Lister<ApiObject> lister = Lister.of(indexer, DEPLOYMENTS);

    assertThat(lister.list()).containsExactlyInAnyOrder(WEB, DB, OTHER_WEB, OF_CLUSTER);
    assertThat(lister.list(Selector.everything())).hasSize(4);
    assertThat(lister.list(Selector.parse("app=web"))).containsExactlyInAnyOrder(WEB, OTHER_WEB);
    assertThat(lister.list(Selector.parse("app=none"))).isEmpty();
    assertThat(lister.list(Selector.nothing())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("indexers")
  void list_inNamespace_givesSelectedObjectsOfThatNamespace(Indexer<ApiObject> indexer) {
    Lister.NamespaceLister<ApiObject> lister = Lister.of(indexer, DEPLOYMENTS).inNamespace("ns");

    assertThat(lister.list()).containsExactlyInAnyOrder(WEB, DB);
    assertThat(lister.list(Selector.parse("app=web"))).containsExactly(WEB);
    assertThat(lister.list(Selector.parse("!app"))).containsExactly(DB);
    assertThat(lister.list(Selector.nothing())).isEmpty();
    assertThat(Lister.of(indexer, DEPLOYMENTS).inNamespace("none").list()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("indexers")
  void list_inEmptyNamespace_givesObjectsOfAll(Indexer<ApiObject> indexer) {
    Lister.NamespaceLister<ApiObject> lister = Lister.of(indexer, DEPLOYMENTS).inNamespace("");

    assertThat(lister.list()).hasSize(4);
    assertThat(lister.list(Selector.parse("app"))).containsExactlyInAnyOrder(WEB, OTHER_WEB);
  }

  @Test
  void get_givesTheObject() {
    Lister<ApiObject> lister = Lister.of(indexers().get(0), DEPLOYMENTS);

    assertThat(lister.get("cluster")).isSameAs(OF_CLUSTER);
    assertThat(lister.inNamespace("other").get("web")).isSameAs(OTHER_WEB);
  }

  private static ResourceType<ApiObject> type(boolean namespaced) {
    GroupVersionKind kind = new GroupVersionKind("apps", "v1", "Deployment");
    JsonCodec<ApiObject> codec = new NoCodec();
    return namespaced
        ? ResourceType.namespaced(kind, "deployments", codec)
        : ResourceType.clusterScoped(kind, "deployments", codec);
  }

  /** Nothing is decoded here. */
  private record NoCodec() implements JsonCodec<ApiObject> {
    @Override
    public ApiObject read(JsonReader in) {
      throw new AssertionError("nothing to read");
    }

    @Override
    public void write(JsonWriter out, ApiObject value) {
      throw new AssertionError("nothing to write");
    }
  }

  @Test
  void get_byObjectName_givesTheObject() {
    Indexer<ApiObject> indexer = indexers().get(0);

    assertThat(Lister.of(indexer, type(true)).get(ObjectName.parse("other/web")))
        .isSameAs(OTHER_WEB);
    assertThat(Lister.of(indexer, type(true)).inNamespace("ns").get("web")).isSameAs(WEB);
    assertThat(Lister.of(indexer, type(false)).get(ObjectName.parse("cluster")))
        .isSameAs(OF_CLUSTER);
  }

  @Test
  void find_givesTheObjectOrEmpty() {
    Indexer<ApiObject> indexer = indexers().get(0);
    Lister<ApiObject> namespaced = Lister.of(indexer, type(true));

    assertThat(namespaced.find(ObjectName.parse("other/web"))).containsSame(OTHER_WEB);
    assertThat(namespaced.find(ObjectName.parse("other/none"))).isEmpty();
    assertThat(namespaced.inNamespace("ns").find("web")).containsSame(WEB);
    assertThat(namespaced.inNamespace("ns").find("none")).isEmpty();
    assertThat(Lister.of(indexer, type(false)).find("cluster")).containsSame(OF_CLUSTER);
    assertThat(Lister.of(indexer, type(false)).find("none")).isEmpty();
  }

  /** Otherwise a controller would never find the object and consider it deleted. */
  @Test
  void find_withoutNamespace_ofObjectsThatHaveNamespaces_saysWhatToCall() {
    Indexer<ApiObject> indexer = indexers().get(0);

    for (Lister<ApiObject> lister :
        List.of(Lister.of(indexer, type(true)), Lister.of(indexer, DEPLOYMENTS))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> lister.find("web"))
          .withMessageStartingWith("deployments.apps live in namespaces: call lister.inNamespace(");
    }
  }

  /** Otherwise a controller would never find the object and consider it deleted. */
  @Test
  void get_withoutNamespace_ofATypeThatHasNamespaces_saysWhatToCall() {
    Lister<ApiObject> lister = Lister.of(indexers().get(0), type(true));

    for (Runnable get :
        List.<Runnable>of(
            () -> lister.get("web"),
            () -> lister.get(ObjectName.parse("web")),
            () -> lister.inNamespace("").get("web"))) {
      assertThatIllegalStateException()
          .isThrownBy(get::run)
          .withMessage(
              "deployments.apps live in namespaces: call"
                  + " lister.inNamespace(\"NAMESPACE\").get(\"web\") or lister.get(new"
                  + " ObjectName(\"NAMESPACE\", \"web\"))");
    }
  }

  @Test
  void get_withNamespace_ofATypeOfTheCluster_saysWhatToCall() {
    Lister<ApiObject> lister = Lister.of(indexers().get(0), type(false));

    for (Runnable get :
        List.<Runnable>of(
            () -> lister.inNamespace("ns"), () -> lister.get(ObjectName.parse("ns/web")))) {
      assertThatIllegalArgumentException()
          .isThrownBy(get::run)
          .withMessage(
              "deployments.apps do not live in namespaces, but \"ns\" was asked for: call"
                  + " lister.get(name) or lister.list()");
    }
    assertThat(lister.inNamespace("").list()).hasSize(4);
  }

  /** A dynamic type does not know its scope; the objects in the cache show it. */
  @Test
  void get_withoutNamespace_ofAnUnknownType_isNotFoundWithAHint() {
    Indexer<ApiObject> indexer = indexers().get(0);
    ResourceType<ApiObject> unknown =
        ResourceType.namespaced(
            new GroupVersionKind("apps", "v1", ""), "deployments", new NoCodec());

    for (Lister<ApiObject> lister :
        List.of(Lister.of(indexer, DEPLOYMENTS), Lister.of(indexer, unknown))) {
      assertThatExceptionOfType(ApiStatusException.class)
          .isThrownBy(() -> lister.get("web"))
          .withMessageStartingWith(
              "deployments.apps \"web\" not found: deployments.apps live in namespaces: call ")
          .matches(ApiStatusException::isNotFound);
      assertThat(lister.get("cluster")).isSameAs(OF_CLUSTER);
      assertThat(lister.inNamespace("ns").get("web")).isSameAs(WEB);
    }
  }

  @Test
  void get_ofWhatIsNotThere_failsAsTheServerWould() {
    Lister<ApiObject> lister = Lister.of(indexers().get(0), DEPLOYMENTS);

    Lister<ApiObject> ofCluster = Lister.of(indexers().get(0), type(false));
    for (Runnable get :
        List.<Runnable>of(
            () -> ofCluster.get("web"), () -> lister.inNamespace("wrong").get("web"))) {
      assertThatExceptionOfType(ApiStatusException.class)
          .isThrownBy(get::run)
          .withMessage("deployments.apps \"web\" not found")
          .matches(ApiStatusException::isNotFound);
    }
  }
}
