package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.schema.GroupResource;
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

  // TestListAll
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
    NamespaceLister<ApiObject> lister = Lister.of(indexer, DEPLOYMENTS).inNamespace("ns");

    assertThat(lister.list()).containsExactlyInAnyOrder(WEB, DB);
    assertThat(lister.list(Selector.parse("app=web"))).containsExactly(WEB);
    assertThat(lister.list(Selector.parse("!app"))).containsExactly(DB);
    assertThat(lister.list(Selector.nothing())).isEmpty();
    assertThat(Lister.of(indexer, DEPLOYMENTS).inNamespace("none").list()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("indexers")
  void list_inEmptyNamespace_givesObjectsOfAll(Indexer<ApiObject> indexer) {
    NamespaceLister<ApiObject> lister = Lister.of(indexer, DEPLOYMENTS).inNamespace("");

    assertThat(lister.list()).hasSize(4);
    assertThat(lister.list(Selector.parse("app"))).containsExactlyInAnyOrder(WEB, OTHER_WEB);
  }

  @Test
  void get_givesTheObject() {
    Lister<ApiObject> lister = Lister.of(indexers().get(0), DEPLOYMENTS);

    assertThat(lister.get("cluster")).isSameAs(OF_CLUSTER);
    assertThat(lister.inNamespace("other").get("web")).isSameAs(OTHER_WEB);
  }

  @Test
  void get_ofWhatIsNotThere_failsAsTheServerWould() {
    Lister<ApiObject> lister = Lister.of(indexers().get(0), DEPLOYMENTS);

    for (Runnable get :
        List.<Runnable>of(() -> lister.get("web"), () -> lister.inNamespace("wrong").get("web"))) {
      assertThatExceptionOfType(ApiStatusException.class)
          .isThrownBy(get::run)
          .withMessage("deployments.apps \"web\" not found")
          .matches(ApiStatusException::isNotFound);
    }
  }
}
