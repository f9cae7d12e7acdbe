package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Roles, bindings, impersonation and reviews of access. */
abstract class AccessContract extends Contract {

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1";
  private static final String BINDING_TO =
      "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'%s','name':'%s'},'subjects':[%s]";

  /** A user of this test's own. */
  private String user = "";

  @BeforeEach
  void nameUser() {
    user = "user-of-" + namespace;
  }

  private String[] as(String name) {
    return new String[] {"Impersonate-User", name};
  }

  private String rbac(String resource) {
    return RBAC + "/namespaces/" + namespace + "/" + resource;
  }

  private void role(String name, String rules) {
    must(
        201,
        api()
            .post(rbac("roles"), "{'metadata':{'name':'%s'},'rules':[%s]}".formatted(name, rules)));
  }

  private void clusterRole(String rules) {
    String body = "{'metadata':{'name':'%s'},'rules':[%s]}".formatted(namespace, rules);
    must(201, api().post(RBAC + "/clusterroles", body));
  }

  private String user() {
    return "{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'" + user + "'}";
  }

  private void bind(String kind, String role, String subject) {
    String rest = BINDING_TO.formatted(kind, role, subject);
    must(
        201, api().post(rbac("rolebindings"), "{'metadata':{'name':'" + role + "'}," + rest + "}"));
  }

  private void bindEverywhere(String role) {
    String rest = BINDING_TO.formatted("ClusterRole", role, user());
    must(
        201,
        api()
            .post(
                RBAC + "/clusterrolebindings",
                "{'metadata':{'name':'" + namespace + "'}," + rest + "}"));
  }

  /** The real server's authorizer reads roles from a cache. */
  private void awaitAllowed(String path) {
    eventually(() -> api().get(path, as(user)).code() != 403);
  }

  private static String rule(String group, String resource, String verbs) {
    return "{'apiGroups':['%s'],'resources':['%s'],'verbs':[%s]}".formatted(group, resource, verbs);
  }

  /* --------------- Refusals --------------- */

  @Test
  void noRole_isForbidden_withWhoAndWhat() {
    assertForbidden(
        api().get(configMaps(), as(user)),
        "configmaps is forbidden: User \"%s\" cannot list resource \"configmaps\" in API group \"\""
            + " in the namespace \"%s\"");
    assertForbidden(
        api().get(configMap("a"), as(user)),
        "configmaps \"a\" is forbidden: User \"%s\" cannot get resource \"configmaps\" in API group"
            + " \"\" in the namespace \"%s\"");
    assertForbidden(
        api().get("/apis/apps/v1/deployments", as(user)),
        "deployments.apps is forbidden: User \"%s\" cannot list resource \"deployments\" in API"
            + " group \"apps\" at the cluster scope");
    assertForbidden(
        api().get(core("pods") + "/a/log", as(user)),
        "pods \"a\" is forbidden: User \"%s\" cannot get resource \"pods/log\" in API group \"\" in"
            + " the namespace \"%s\"");
    assertForbidden(
        api().get("/apis/no.such/v1/things?watch=true", as(user)),
        "things.no.such is forbidden: User \"%s\" cannot watch resource \"things\" in API group"
            + " \"no.such\" at the cluster scope");
    assertForbidden(
        api().get("/metrics", as(user)), "forbidden: User \"%s\" cannot get path \"/metrics\"");
    assertForbidden(
        api().post(core("pods"), "{'metadata':{'name':'a'}}", as(user)),
        "pods is forbidden: User \"%s\" cannot create resource \"pods\" in API group \"\" in the"
            + " namespace \"%s\"");
  }

  private void assertForbidden(Answer answer, String message) {
    assertFailure(answer, 403, "Forbidden", "");
    assertThat(answer.message()).isEqualTo(message.formatted(user, namespace));
  }

  @Test
  void everyUser_mayDiscover() {
    assertThat(api().get("/api/v1", as(user)).code()).isEqualTo(200);
    assertThat(api().get("/apis", as(user)).code()).isEqualTo(200);
    assertThat(api().get("/version", as(user)).code()).isEqualTo(200);
    assertThat(api().get("/version", as("system:anonymous")).code()).isEqualTo(200);
    assertThat(api().get("/apis", as("system:anonymous")).code()).isEqualTo(403);
  }

  @Test
  void missingRole_isTheReason() {
    bind("ClusterRole", "no-such-role", user());

    eventually(() -> api().get(configMaps(), as(user)).message().contains("RBAC"));
    assertThat(api().get(configMaps(), as(user)).message())
        .endsWith(": RBAC: clusterrole.rbac.authorization.k8s.io \"no-such-role\" not found");
  }

  /* --------------- Rules --------------- */

  @Test
  void role_permitsItsVerbsInItsNamespace() {
    create("a");
    role("reader", rule("", "configmaps", "'get','list'"));
    bind("Role", "reader", user());
    awaitAllowed(configMaps());

    assertThat(api().get(configMap("a"), as(user)).code()).isEqualTo(200);
    assertThat(api().get("/api/v1/configmaps", as(user)).code()).isEqualTo(403);
    assertThat(api().get("/api/v1/namespaces/default/configmaps", as(user)).code()).isEqualTo(403);
    assertThat(api().get(core("secrets"), as(user)).code()).isEqualTo(403);
    assertThat(api().send("DELETE", configMap("a"), null, as(user)).code()).isEqualTo(403);
  }

  @Test
  void clusterRole_boundInANamespace_permitsThere() {
    clusterRole(rule("", "configmaps", "'*'") + "," + rule("*", "*/status", "'get'"));
    bind("ClusterRole", namespace, user());
    awaitAllowed(configMaps());

    assertThat(api().get("/api/v1/configmaps", as(user)).code()).isEqualTo(403);
    assertThat(api().send("DELETE", configMaps(), null, as(user)).code()).isEqualTo(200);
    assertThat(api().get(core("pods") + "/a/status", as(user)).code()).isEqualTo(404);
    assertThat(api().get(core("pods") + "/a", as(user)).code()).isEqualTo(403);
  }

  @Test
  void clusterRole_boundEverywhere_permitsEverywhereAndPaths() {
    clusterRole(
        rule("apps", "*", "'list'") + ",{'nonResourceURLs':['/metrics/*'],'verbs':['get']}");
    bindEverywhere(namespace);
    awaitAllowed("/apis/apps/v1/deployments");

    assertThat(api().get("/apis/apps/v1/statefulsets", as(user)).code()).isEqualTo(200);
    assertThat(api().get("/metrics/x", as(user)).code()).isNotEqualTo(403);
    assertThat(api().get("/metrics", as(user)).code()).isEqualTo(403);
  }

  @Test
  void resourceNames_permitTheseObjects() {
    create("a");
    create("b");
    role(
        "named",
        "{'apiGroups':[''],'resources':['configmaps'],'resourceNames':['a'],'verbs':['get','list']}");
    bind("Role", "named", user());
    awaitAllowed(configMap("a"));

    assertThat(api().get(configMap("b"), as(user)).code()).isEqualTo(403);
    assertThat(api().get(configMaps(), as(user)).code()).isEqualTo(403);
    Answer one = api().get(configMaps() + "?fieldSelector=metadata.name%3Da", as(user));
    assertThat(one.itemNames()).containsExactly("a");
  }

  @Test
  void applyThatCreates_needsCreate() {
    String body = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'}}";
    role("patcher", rule("", "configmaps", "'get','patch'"));
    bind("Role", "patcher", user());
    awaitAllowed(configMap("a"));
    String[] headers = {"Impersonate-User", user, "Content-Type", "application/apply-patch+yaml"};

    Answer refused = api().send("PATCH", configMap("a") + "?fieldManager=m", body, headers);
    create("a");
    Answer applied = api().send("PATCH", configMap("a") + "?fieldManager=m", body, headers);

    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "configmaps \"a\" is forbidden: User \"%s\" cannot create resource \"configmaps\" in API group \"\" in the namespace \"%s\""
                .formatted(user, namespace));
    assertThat(applied.code()).isEqualTo(200);
  }

  @Test
  void subjects_mayBeGroupsAndServiceAccounts() {
    role("reader", rule("", "configmaps", "'list'"));
    bind("Role", "reader", "{'kind':'ServiceAccount','name':'robot'}");
    role("listers", rule("", "pods", "'list'"));
    bind("Role", "listers", "{'apiGroup':'rbac.authorization.k8s.io','kind':'Group','name':'g'}");
    String robot = "system:serviceaccount:" + namespace + ":robot";
    String[] member = {"Impersonate-User", user, "Impersonate-Group", "g"};
    eventually(() -> api().get(configMaps(), as(robot)).code() == 200);
    eventually(() -> api().get(core("pods"), member).code() == 200);

    assertThat(api().get(core("pods"), as(robot)).code()).isEqualTo(403);
    assertThat(api().get(configMaps(), member).code()).isEqualTo(403);
    assertThat(api().get(core("pods"), as(user)).code()).isEqualTo(403);
  }

  /* --------------- Impersonation --------------- */

  @Test
  void impersonation_decidesUserAndGroups() {
    String path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    Answer robot = api().post(path, "{}", as("system:serviceaccount:a:b"));
    Answer person =
        api()
            .post(
                path,
                "{}",
                "Impersonate-User",
                user,
                "Impersonate-Group",
                "g",
                "Impersonate-Extra-Scope%2Fx",
                "y");

    assertThat(robot.at("status", "userInfo", "groups"))
        .isEqualTo(
            List.of("system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"));
    assertThat(person.at("status", "userInfo", "username")).isEqualTo(user);
    assertThat(person.at("status", "userInfo", "groups"))
        .isEqualTo(List.of("g", "system:authenticated"));
    assertThat(person.at("status", "userInfo", "extra")).isEqualTo(Map.of("scope/x", List.of("y")));
    assertFailure(
        api().get(configMaps(), "Impersonate-Group", "g"),
        400,
        "BadRequest",
        "without impersonating a user");
  }

  /* --------------- Reviews --------------- */

  private Answer selfReview(String attributes) {
    return api()
        .post(REVIEWS + "/selfsubjectaccessreviews", "{'spec':{" + attributes + "}}", as(user));
  }

  private String listing(String resource) {
    return "'resourceAttributes':{'namespace':'%s','verb':'list','resource':'%s'}"
        .formatted(namespace, resource);
  }

  @Test
  void accessReviews_tellWhatRolesPermit() {
    role("reader", rule("", "configmaps", "'list'"));
    bind("Role", "reader", user());
    awaitAllowed(configMaps());
    String allowed =
        "RBAC: allowed by RoleBinding \"reader/%s\" of Role \"reader\" to User \"%s\""
            .formatted(namespace, user);
    String other = "'user':'" + user + "',";

    Answer yes = must(201, selfReview(listing("configmaps")));
    Answer no = must(201, selfReview(listing("pods")));
    Answer path = must(201, selfReview("'nonResourceAttributes':{'path':'/metrics','verb':'get'}"));
    Answer ofOther =
        api()
            .post(
                REVIEWS + "/subjectaccessreviews",
                "{'spec':{" + other + listing("configmaps") + "}}");
    Answer local =
        api()
            .post(
                REVIEWS + "/namespaces/" + namespace + "/localsubjectaccessreviews",
                "{'metadata':{'namespace':'%s'},'spec':{%s%s}}"
                    .formatted(namespace, other, listing("configmaps")));
    Answer admin =
        api()
            .post(
                REVIEWS + "/selfsubjectaccessreviews", "{'spec':{" + listing("configmaps") + "}}");

    assertThat(yes.at("kind")).isEqualTo("SelfSubjectAccessReview");
    assertThat(yes.at("spec", "resourceAttributes", "resource")).isEqualTo("configmaps");
    assertThat(yes.at("status")).isEqualTo(Map.of("allowed", true, "reason", allowed));
    assertThat(no.at("status")).isEqualTo(Map.of("allowed", false));
    assertThat(path.at("status")).isEqualTo(Map.of("allowed", false));
    assertThat(ofOther.at("status")).isEqualTo(Map.of("allowed", true, "reason", allowed));
    assertThat(local.at("status")).isEqualTo(Map.of("allowed", true, "reason", allowed));
    assertThat(admin.at("status")).isEqualTo(Map.of("allowed", true));
    assertThat(
            api().post(REVIEWS + "/subjectaccessreviews", "{'spec':{'user':'x'}}", as(user)).code())
        .isEqualTo(403);
  }

  /** Only a user with credentials is in the group that may read what the server has. */
  @Test
  void accessReview_ofGroups_namesTheGroupOfTheBinding() {
    String path = REVIEWS + "/subjectaccessreviews";
    String asked = "{'spec':{'user':'x','groups':['%s'],'nonResourceAttributes':%s}}";
    String version = "{'path':'/version','verb':'get'}";
    String apis = "{'path':'/apis','verb':'get'}";
    String viewer =
        "RBAC: allowed by ClusterRoleBinding \"system:public-info-viewer\" of ClusterRole"
            + " \"system:public-info-viewer\" to Group \"%s\"";

    Answer stranger = api().post(path, asked.formatted("system:unauthenticated", version));
    Answer strangerInside = api().post(path, asked.formatted("system:unauthenticated", apis));
    Answer member = api().post(path, asked.formatted("system:authenticated", apis));
    Answer account = api().post(path, asked.formatted("system:serviceaccounts", apis));

    assertThat(stranger.at("status"))
        .isEqualTo(Map.of("allowed", true, "reason", viewer.formatted("system:unauthenticated")));
    assertThat(strangerInside.at("status")).isEqualTo(Map.of("allowed", false));
    assertThat(member.at("status", "allowed")).isEqualTo(true);
    assertThat(account.at("status")).isEqualTo(Map.of("allowed", false));
  }

  /** A group of all service accounts, or of those of one namespace, has rights by a binding. */
  @Test
  void binding_toTheGroupsOfServiceAccounts_isForThem() {
    role("reader", rule("", "configmaps", "'list'"));
    bind(
        "Role",
        "reader",
        "{'apiGroup':'rbac.authorization.k8s.io','kind':'Group','name':'system:serviceaccounts:%s'}"
            .formatted(namespace));

    eventually(
        () ->
            api().get(configMaps(), as("system:serviceaccount:" + namespace + ":a")).code() == 200);
    assertThat(api().get(configMaps(), as("system:serviceaccount:other:a")).code()).isEqualTo(403);
    assertThat(api().get(configMaps(), as("system:anonymous")).code()).isEqualTo(403);
    assertThat(api().get("/version", as("system:anonymous")).code()).isEqualTo(200);
    assertThat(api().get("/apis", as("system:anonymous")).code()).isEqualTo(403);
  }

  @Test
  void rulesReview_listsRules() {
    role("reader", rule("", "configmaps", "'list'"));
    bind("Role", "reader", user());
    awaitAllowed(configMaps());

    Answer review =
        must(
            201,
            api()
                .post(
                    REVIEWS + "/selfsubjectrulesreviews",
                    "{'spec':{'namespace':'" + namespace + "'}}",
                    as(user)));

    assertThat((List<?>) review.at("status", "resourceRules"))
        .anyMatch(
            rule ->
                rule.equals(
                    Map.of(
                        "apiGroups",
                        List.of(""),
                        "resources",
                        List.of("configmaps"),
                        "verbs",
                        List.of("list"))))
        .anyMatch(
            rule ->
                ((Map<?, ?>) rule).get("resources").toString().contains("selfsubjectrulesreviews"));
    assertThat(review.at("status", "nonResourceRules").toString()).contains("/openapi/*");
    assertThat(review.at("status", "incomplete")).isEqualTo(false);
    assertFailure(
        api().post(REVIEWS + "/selfsubjectrulesreviews", "{'spec':{}}"),
        400,
        "BadRequest",
        "no namespace on request");
  }

  @Test
  void reviews_areCheckedAndCannotBeRead() {
    assertFailure(
        selfReview(""),
        422,
        "Invalid",
        "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    assertFailure(
        api().post(REVIEWS + "/subjectaccessreviews", "{'spec':{" + listing("pods") + "}}"),
        422,
        "Invalid",
        "at least one of user or group must be specified");
    assertFailure(api().get(REVIEWS + "/selfsubjectaccessreviews"), 405, "MethodNotAllowed", "");
  }
}
