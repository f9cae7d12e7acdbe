package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects as tables. */
abstract class TableContract extends Contract {

  private static final String[] TABLE = {"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"};

  private static final String PRINTED =
      """
      {'metadata':{'name':'printeds.table.example.com'},'spec':{'group':'table.example.com',
       'scope':'Namespaced','names':{'plural':'printeds','kind':'Printed'},'versions':[{'name':'v1',
       'served':true,'storage':true,'additionalPrinterColumns':[
        {'name':'Size','type':'integer','jsonPath':'.spec.size','description':'How many',
         'priority':1},
        {'name':'Text','type':'string','jsonPath':'.spec.text'},
        {'name':'Since','type':'date','jsonPath':'.spec.since'},
        {'name':'Ok','type':'boolean','jsonPath':'.spec.ok'},
        {'name':'Share','type':'number','format':'float','jsonPath':'.spec.share'},
        {'name':'First','type':'string','jsonPath':'.spec.all[*]'}],
       'schema':{'openAPIV3Schema':{'type':'object',
        'x-kubernetes-preserve-unknown-fields':true}}},
       {'name':'v2','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object',
        'x-kubernetes-preserve-unknown-fields':true}}}]}}\
      """;

  private static List<Object> columns(Answer table) {
    return JsonTree.objects(table.json(), "columnDefinitions").stream()
        .map(column -> column.get("name"))
        .toList();
  }

  private static List<Object> cells(Map<String, Object> row) {
    return new ArrayList<>((List<?>) row.get("cells"));
  }

  private static List<Map<String, Object>> rows(Answer table) {
    return JsonTree.objects(table.json(), "rows");
  }

  @Test
  void list_asTable_hasARowPerObject() {
    create("a");
    create("b");

    Answer table = must(200, api().get(configMaps(), TABLE));

    assertThat(table.at("kind")).isEqualTo("Table");
    assertThat(table.at("apiVersion")).isEqualTo("meta.k8s.io/v1");
    assertThat(table.resourceVersion()).isNotEmpty();
    assertThat(columns(table)).containsExactly("Name", "Data", "Age");
    assertThat(JsonTree.objects(table.json(), "columnDefinitions").get(0))
        .containsEntry("type", "string")
        .containsEntry("format", "name")
        .containsEntry("priority", 0L);
    assertThat(rows(table)).hasSize(2);
    assertThat(cells(rows(table).get(1)).subList(0, 2)).isEqualTo(List.of("b", 1L));
    assertThat(cells(rows(table).get(1)).get(2)).asString().matches("[0-9]+s");
    assertThat(JsonTree.object(rows(table).get(0), "object"))
        .containsEntry("kind", "PartialObjectMetadata")
        .doesNotContainKey("data");
  }

  @Test
  void list_asTable_hasPages() {
    create("a");
    create("b");

    Answer first = must(200, api().get(configMaps() + "?limit=1", TABLE));

    assertThat(rows(first)).hasSize(1);
    assertThat(first.at("metadata", "remainingItemCount")).isEqualTo(1L);
    String next = JsonTree.string(first.json(), "metadata", "continue");
    assertThat(rows(api().get(configMaps() + "?continue=" + next, TABLE))).hasSize(1);
  }

  @Test
  void get_asTable_isOneRow() {
    Answer created = create("a");

    Answer table = must(200, api().get(configMap("a"), TABLE));

    assertThat(rows(table)).hasSize(1);
    assertThat(table.resourceVersion()).isEqualTo(created.resourceVersion());
  }

  @Test
  void rows_includeTheRequestedObject() {
    create("a");

    Answer none = api().get(configMap("a") + "?includeObject=None", TABLE);
    Answer all = api().get(configMap("a") + "?includeObject=Object", TABLE);

    assertThat(rows(none).get(0)).containsEntry("object", null);
    assertThat(JsonTree.object(rows(all).get(0), "object"))
        .containsEntry("kind", "ConfigMap")
        .containsEntry("apiVersion", "v1")
        .containsKey("data");
    assertFailure(
        api().get(configMap("a") + "?includeObject=Nope", TABLE),
        400,
        "BadRequest",
        "includeObject: Invalid value: \"Nope\"");
  }

  @Test
  void get_asTable_missingObject_isAStatus() {
    assertFailure(
        api().get(configMap("no"), TABLE), 404, "NotFound", "configmaps \"no\" not found");
  }

  @Test
  void table_isAnAlternative() {
    create("a");

    Answer answer = api().get(configMap("a"), "Accept", TABLE[1] + ",application/json");

    assertThat(answer.at("kind")).isEqualTo("Table");
  }

  @Test
  void builtInKinds_haveTheirOwnColumns() {
    createPod("p", "");
    assertThat(columns(api().get("/api/v1/namespaces", TABLE)))
        .containsExactly("Name", "Status", "Age");
    Answer pods = api().get(core("pods"), TABLE);
    assertThat(columns(pods)).startsWith("Name", "Ready", "Status", "Restarts", "Age");
    assertThat(cells(rows(pods).get(0)).subList(0, 3)).isEqualTo(List.of("p", "0/1", "Pending"));
    assertThat(columns(api().get(core("secrets"), TABLE)))
        .containsExactly("Name", "Type", "Data", "Age");
    assertThat(columns(api().get("/apis/apps/v1/namespaces/" + namespace + "/deployments", TABLE)))
        .startsWith("Name", "Ready", "Up-to-date", "Available", "Age");
  }

  @Test
  void watch_asTable_sendsTheColumnsOnce() {
    Answer created = create("a");
    try (Events events =
        api().watch(configMaps() + "?watch=true&resourceVersion=" + before(created), TABLE)) {
      Event first = events.next();
      set("a", "2");
      Event second = events.next();

      assertThat(first.object()).containsEntry("kind", "Table");
      assertThat(JsonTree.objects(first.object(), "columnDefinitions")).hasSize(3);
      assertThat(second.type()).isEqualTo("MODIFIED");
      assertThat(second.object()).containsEntry("columnDefinitions", null);
      assertThat(cells(JsonTree.objects(second.object(), "rows").get(0)).get(0)).isEqualTo("a");
    }
  }

  private static long before(Answer created) {
    return Long.parseLong(created.resourceVersion()) - 1;
  }

  @Test
  void customKinds_haveTheColumnsOfTheirDefinition() {
    api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", PRINTED);
    String printed = "/apis/table.example.com/v1/namespaces/" + namespace + "/printeds";
    eventually(() -> api().get(printed).code() == 200);
    must(
        201,
        api()
            .post(
                printed,
                "{'apiVersion':'table.example.com/v1','kind':'Printed','metadata':{'name':'x'},"
                    + "'spec':{'size':3,'text':'hi','ok':true,'since':'2020-01-01T00:00:00Z',"
                    + "'share':0.5,'all':['a','b']}}"));
    must(
        201,
        api()
            .post(
                printed,
                "{'apiVersion':'table.example.com/v1','kind':'Printed','metadata':{'name':'y'}}"));

    Answer table = must(200, api().get(printed, TABLE));

    assertThat(columns(table))
        .containsExactly("Name", "Size", "Text", "Since", "Ok", "Share", "First");
    assertThat(JsonTree.objects(table.json(), "columnDefinitions").get(5))
        .containsEntry("type", "number")
        .containsEntry("format", "float");
    assertThat(JsonTree.objects(table.json(), "columnDefinitions").get(1))
        .isEqualTo(
            Map.of(
                "name", "Size",
                "type", "integer",
                "format", "",
                "description", "How many",
                "priority", 1L));
    List<Object> cells = cells(rows(table).get(0));
    assertThat(cells.get(1)).isEqualTo(3L);
    assertThat(cells.get(2)).isEqualTo("hi");
    assertThat(cells.get(3)).asString().matches("[0-9]+y([0-9]+d)?");
    assertThat(cells.subList(4, 7)).isEqualTo(List.of(true, 0.5, "a"));
    assertThat(cells(rows(table).get(1)))
        .isEqualTo(Arrays.asList("y", null, null, null, null, null, null));
    Answer other = must(200, api().get(printed.replace("v1", "v2"), TABLE));
    assertThat(columns(other)).containsExactly("Name", "Age");
    assertThat(JsonTree.objects(other.json(), "columnDefinitions").get(1))
        .containsEntry("type", "date");
    assertThat(cells(rows(other).get(0)).get(1)).asString().matches("[0-9]+s");
  }
}
