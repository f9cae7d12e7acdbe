package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The table of {@code docs/testing.md}: where the embedded server differs from the real one. If a
 * difference goes, this fails, and the row of the table goes.
 */
final class DifferencesTest {

  private static final String POD = "'spec':{'containers':[{'name':'c','image':'i'}]}";

  private static EmbeddedApiServer embedded;
  private static TestClient embeddedApi;
  private static @Nullable KubeApiServer real;
  private static @Nullable TestClient realApi;

  @BeforeAll
  static void start() throws InterruptedException {
    embedded = EmbeddedApiServer.start();
    embeddedApi = TestClient.of(embedded);
    if (KubeApiServer.isAvailable()) {
      real = KubeApiServer.start();
      realApi = TestClient.of(real);
    }
  }

  @AfterAll
  static void stop() {
    embeddedApi.close();
    embedded.close();
    if (real != null) {
      realApi.close();
      real.close();
    }
  }

  /** Asks both servers the same; the real one only where it is installed. */
  private static void assertAnswers(
      Function<TestClient, Object> question, Object ofEmbedded, Object ofReal) {
    assertThat(question.apply(embeddedApi)).as("embedded").isEqualTo(ofEmbedded);
    if (realApi != null) {
      assertThat(question.apply(realApi)).as("real").isEqualTo(ofReal);
    }
  }

  /** The real server's plugin reads quotas from a cache. */
  private static void eventuallyAnswers(
      Function<TestClient, Object> question, Object ofEmbedded, Object ofReal) {
    if (realApi != null) {
      Contract.eventually(() -> question.apply(realApi).equals(ofReal));
    }
    assertThat(question.apply(embeddedApi)).as("embedded").isEqualTo(ofEmbedded);
  }

  private static Function<TestClient, Object> create(String path, String body) {
    return api -> api.post(path, body).code();
  }

  @Test
  void groups_theEmbeddedServerHasFewer() {
    if (realApi == null) {
      return;
    }
    Set<String> missing = groups(realApi);
    missing.removeAll(groups(embeddedApi));

    assertThat(missing)
        .containsExactly(
            "apiregistration.k8s.io",
            "flowcontrol.apiserver.k8s.io",
            "resource.k8s.io",
            "storagemigration.k8s.io");
    assertThat(groups(realApi)).containsAll(groups(embeddedApi));
  }

  /** The resources of the groups that both have, without subresources. */
  @Test
  void resources_ofTheGroupsOfBoth_areThoseOfThePage() {
    if (realApi == null) {
      return;
    }
    Set<String> missing = resources(realApi);
    missing.removeAll(resources(embeddedApi));
    missing.removeIf(name -> !groups(embeddedApi).contains(name.substring(0, name.indexOf('/'))));

    assertThat(missing)
        .containsExactly(
            "admissionregistration.k8s.io/mutatingadmissionpolicies",
            "admissionregistration.k8s.io/mutatingadmissionpolicybindings",
            "admissionregistration.k8s.io/validatingadmissionpolicies",
            "admissionregistration.k8s.io/validatingadmissionpolicybindings",
            "authentication.k8s.io/tokenreviews",
            "certificates.k8s.io/clustertrustbundles",
            "certificates.k8s.io/podcertificaterequests",
            "networking.k8s.io/ipaddresses",
            "networking.k8s.io/servicecidrs",
            "storage.k8s.io/csistoragecapacities",
            "storage.k8s.io/volumeattributesclasses");
    assertThat(resources(realApi)).containsAll(resources(embeddedApi));
  }

  private static Set<String> resources(TestClient api) {
    Set<String> names = new TreeSet<>();
    for (String group : groups(api)) {
      for (Object each : (List<?>) api.get("/apis/" + group).at("versions")) {
        String version = (String) ((Map<?, ?>) each).get("groupVersion");
        for (Object resource : (List<?>) api.get("/apis/" + version).at("resources")) {
          String name = (String) ((Map<?, ?>) resource).get("name");
          if (!name.contains("/")) {
            names.add(group + "/" + name);
          }
        }
      }
    }
    return names;
  }

  /** The core group lacks what no test writes: bindings, proxies, the state of components. */
  @Test
  void resources_ofTheCoreGroup_areThoseOfThePage() {
    if (realApi == null) {
      return;
    }
    Set<String> missing = core(realApi);
    missing.removeAll(core(embeddedApi));

    assertThat(missing)
        .containsExactly(
            "bindings",
            "componentstatuses",
            "nodes/proxy",
            "pods/proxy",
            "pods/resize",
            "services/proxy");
  }

  private static Set<String> core(TestClient api) {
    Set<String> names = new TreeSet<>();
    for (Object resource : (List<?>) api.get("/api/v1").at("resources")) {
      names.add((String) ((Map<?, ?>) resource).get("name"));
    }
    return names;
  }

  private static Set<String> groups(TestClient api) {
    Set<String> names = new TreeSet<>();
    List<?> groups = (List<?>) api.get("/apis").at("groups");
    groups.forEach(group -> names.add((String) ((Map<?, ?>) group).get("name")));
    return names;
  }

  @Test
  void values_ofBuiltInKinds_areNotChecked() {
    assertAnswers(
        create("/api/v1/namespaces/default/pods", "{'metadata':{'name':'empty'},'spec':{}}"),
        201,
        422);
  }

  @Test
  void defaults_ofBuiltInKinds_areNotSet() {
    String body = "{'metadata':{'name':'defaults'}," + POD + "}";

    assertAnswers(
        api ->
            String.valueOf(
                api.post("/api/v1/namespaces/default/pods", body).at("spec", "restartPolicy")),
        "null",
        "Always");
  }

  @Test
  void services_getNoAddress() {
    String body = "{'metadata':{'name':'web'},'spec':{'ports':[{'port':80}]}}";

    assertAnswers(
        api ->
            api.post("/api/v1/namespaces/default/services", body).at("spec", "clusterIP") != null,
        false,
        true);
  }

  @Test
  void aggregatedRoles_haveTheirRulesAtOnce() {
    String rbac = "/apis/rbac.authorization.k8s.io/v1";
    String subject = "{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'aggregated'}";
    String binding =
        "{'metadata':{'name':'all'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'all'},'subjects':["
            + subject
            + "]}";
    assertAnswers(
        create(
            rbac + "/clusterroles",
            "{'metadata':{'name':'part','labels':{'part':'yes'}},'rules':[{'apiGroups':[''],"
                + "'resources':['nodes'],'verbs':['list']}]}"),
        201,
        201);
    assertAnswers(
        create(
            rbac + "/clusterroles",
            "{'metadata':{'name':'all'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':"
                + "{'part':'yes'}}]}}"),
        201,
        201);
    assertAnswers(create(rbac + "/clusterrolebindings", binding), 201, 201);

    assertAnswers(
        api -> api.get("/api/v1/nodes", "Impersonate-User", "aggregated").code(), 200, 403);
  }

  @Test
  void limitRanges_areNotEnforced() {
    String range =
        "{'metadata':{'name':'small'},'spec':{'limits':[{'type':'Container','max':{'cpu':'1'}}]}}";
    String pod =
        "{'metadata':{'name':'large'},'spec':{'containers':[{'name':'c','image':'i',"
            + "'resources':{'limits':{'cpu':'2'}}}]}}";
    assertAnswers(create("/api/v1/namespaces", "{'metadata':{'name':'limited'}}"), 201, 201);
    assertAnswers(create("/api/v1/namespaces/limited/limitranges", range), 201, 201);

    assertAnswers(create("/api/v1/namespaces/limited/pods", pod), 201, 403);
  }

  /** The controller that writes the status does not run, so the test does. */
  @Test
  void quotas_areNotEnforced() {
    String quota = "{'metadata':{'name':'none'},'spec':{'hard':{'pods':'0'}}}";
    String quotas = "/api/v1/namespaces/quota/resourcequotas";
    String status = "{'status':{'hard':{'pods':'0'},'used':{'pods':'0'}}}";
    assertAnswers(create("/api/v1/namespaces", "{'metadata':{'name':'quota'}}"), 201, 201);
    assertAnswers(create(quotas, quota), 201, 201);
    assertAnswers(api -> api.mergePatch(quotas + "/none/status", status).code(), 200, 200);
    Function<TestClient, Object> pod =
        create("/api/v1/namespaces/quota/pods", "{'metadata':{'generateName':'a-'}," + POD + "}");
    eventuallyAnswers(pod, 201, 403);
  }

  @Test
  void protobuf_isNotSpoken() {
    assertAnswers(
        api -> api.get("/api/v1/pods", "Accept", "application/vnd.kubernetes.protobuf").code(),
        406,
        200);
  }

  @Test
  void events_ofTheTwoGroups_areApart() {
    String event =
        "{'metadata':{'name':'e'},'involvedObject':{'namespace':'default'},'reason':'r',"
            + "'type':'Normal','reportingComponent':'c','reportingInstance':'i'}";
    assertAnswers(create("/api/v1/namespaces/default/events", event), 201, 201);

    assertAnswers(
        api ->
            api.get("/apis/events.k8s.io/v1/namespaces/default/events").itemNames().contains("e"),
        false,
        true);
  }
}
