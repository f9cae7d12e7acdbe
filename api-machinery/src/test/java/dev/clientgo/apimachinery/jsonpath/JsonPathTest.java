package dev.clientgo.apimachinery.jsonpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Cases of client-go's jsonpath_test.go, on documents of our own. */
final class JsonPathTest {

  private static final Object TYPES =
      json(
          """
          {"bools": [true, false, true, false], "integers": [1, 2, 3, 4],
           "floats": [1.0, 2.2, 3.3, 4.0], "strings": ["one", "two", "three", "four"],
           "maps": [{"name": "one", "value": 1}, {"name": "two", "value": 2.02},
                    {"name": "three", "value": 3.03}]}
          """);

  private static final Object STORE =
      json(
          """
          {"Name": "corner",
           "Book": [{"Author": "Rees", "Price": 8.95}, {"Author": "Waugh", "Price": 12.99},
                    {"Author": "Melville", "Price": 8.99}],
           "Bicycle": [{"Color": "red", "Price": 19.95, "IsNew": true},
                       {"Color": "green", "Price": 20.01, "IsNew": false}],
           "Labels": {"engineer": 10, "web/html": 15, "k8s-app": 20}}
          """);

  private static final Object NODES =
      json(
          """
          {"kind": "List",
           "items": [
             {"kind": "None",
              "metadata": {"name": "127.0.0.1", "labels": {"kubernetes.io/hostname": "127.0.0.1"}},
              "status": {"capacity": {"cpu": "4"}, "ready": true,
                         "addresses": [{"type": "Legacy", "address": "127.0.0.1"}]}},
             {"kind": "None",
              "metadata": {"name": "127.0.0.2", "labels": {"kubernetes.io/hostname": "127.0.0.2"}},
              "status": {"capacity": {"cpu": "8"}, "ready": false,
                         "addresses": [{"type": "Legacy", "address": "127.0.0.2"},
                                       {"type": "another", "address": "127.0.0.3"}]}}],
           "users": [{"name": "myself", "user": {}},
                     {"name": "e2e", "user": {"username": "admin", "password": "secret"}}]}
          """);

  private static final Object PODS =
      json(
          """
          {"items": [
            {"metadata": {"name": "pod1", "annotations": {"color": "blue"}},
             "status": {"phase": "Running"},
             "spec": {"containers": [{"name": "foo"}, {"name": "bar"}]}},
            {"metadata": {"name": "pod2"}, "status": {"phase": "Running"},
             "spec": {"containers": [{"name": "baz"}]}},
            {"metadata": {"name": "pod3", "annotations": {"color": "green"}},
             "status": {"phase": "Pending"}, "spec": {"containers": []}},
            {"resourceVersion": ""}]}
          """);

  private static final Object SIX = json("{'c':[{'n':0},{'n':1},{'n':2},{'n':3},{'n':4},{'n':5}]}");

  private static Object json(String text) {
    return JsonMapper.builder().build().readValue(text.replace('\'', '"'), Object.class);
  }

  /** TestTypesInput. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ .bools }|[true,false,true,false]",
        "{ .bools[0] }|true",
        "{ .bools[-1] }|false",
        "{ .bools[0:2] }|true false",
        "{ .bools[:4:2] }|true true",
        "{ .integers }|[1,2,3,4]",
        "{ .integers[-2] }|3",
        "{ .floats[0] }|1",
        "{ .floats[:2] }|1 2.2",
        "{ .strings }|[\"one\",\"two\",\"three\",\"four\"]",
        "{ .strings[0:2] }|one two",
        "{ .maps[0] }|{\"name\":\"one\",\"value\":1}",
        "{ .maps[::2] }|{\"name\":\"one\",\"value\":1} {\"name\":\"three\",\"value\":3.03}",
        "{ .maps[1::2] }|{\"name\":\"two\",\"value\":2.02}"
      })
  void print_types_likeUpstream(String template, String expected) {
    assertThat(JsonPath.parse(template).print(TYPES)).isEqualTo(expected);
  }

  /** TestStructInput. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "plain text|plain text",
        "hello {.Name}|hello corner",
        "{\"{\"}|{",
        "{$.Labels.web/html}|15",
        "{.Labels.k8s-app}|20",
        "{.Bicycle[*].Color}|red green",
        "{.Book[*].Author}|Rees Waugh Melville",
        "{range .Bicycle[*]}{ \"{\" }{ @.* }{ \"} \" }{end}|{red 19.95 true} {green 20.01 false} ",
        "{..Price}|8.95 12.99 8.99 19.95 20.01",
        "{...Price}|8.95 12.99 8.99 19.95 20.01",
        "{range .Bicycle[*]}{ @.Color }{ \" \" }{end}|red green ",
        "{.Book[-1:].Author}|Melville",
        "{..Book[2].Author}|Melville",
        "{.Bicycle[?(@.IsNew==true)].Color}|red",
        "{.Book[?(@.Price<10)].Author}|Rees Melville",
        "{.Book[?(@.Price >= 8.99)].Author}|Waugh Melville",
        "{.Book[?(@.Author!='Rees')].Author}|Waugh Melville"
      })
  void print_store_likeUpstream(String template, String expected) {
    assertThat(JsonPath.parse(template).print(STORE)).isEqualTo(expected);
  }

  @Test
  void print_arraysAtTheRoot_likeUpstream() {
    assertThat(JsonPath.parse("{..}").print(json("[1,2,3]"))).isEqualTo("[1,2,3]");
    assertThat(JsonPath.parse("{[?(@<5)]}").print(json("[2,6,3,7]"))).isEqualTo("2 3");
    assertThat(JsonPath.parse("{[1,3,4]}").print(json("[0,1,2,3,4]"))).isEqualTo("1 3 4");
    assertThat(JsonPath.parse("{.}").print(json("[1]"))).isEqualTo("[1]");
    assertThat(JsonPath.parse("{@}").print("x")).isEqualTo("x");
  }

  /** TestJSONInput. */
  @Test
  void print_points_likeUpstream() {
    Object points = json("[{'id':'i1','x':4},{'id':'i2','z':1},{'id':'i3','z':1,'x':null}]");

    assertThat(JsonPath.parse("{[?(@.z)].id}").print(points)).isEqualTo("i2 i3");
    assertThat(JsonPath.parse("{[0]['id']}").print(points)).isEqualTo("i1");
    assertThat(JsonPath.parse("{[-1]['x']}").print(points)).isEqualTo("null");
  }

  /** TestKubernetes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "{range .items[*]}{.metadata.name}, {end}{.kind}|127.0.0.1, 127.0.0.2, List",
        "{.items[*].status.addresses[*].address}|127.0.0.1 127.0.0.2 127.0.0.3",
        "{range .items[*]}{range .status.addresses[*]}{.address}, {end}{end}|127.0.0.1, 127.0.0.2, 127.0.0.3, ",
        "{.items[*]['metadata.name', 'status.capacity']}|127.0.0.1 127.0.0.2 {\"cpu\":\"4\"} {\"cpu\":\"8\"}",
        "{range .items[*]}[{.metadata.name}, {.status.capacity}] {end}|[127.0.0.1, {\"cpu\":\"4\"}] [127.0.0.2, {\"cpu\":\"8\"}] ",
        "{.users[?(@.name==\"e2e\")].user.password}|secret",
        "{.items[0].metadata.labels.kubernetes\\.io/hostname}|127.0.0.1",
        "{.items[?(@.metadata.labels.kubernetes\\.io/hostname==\"127.0.0.1\")].kind}|None",
        "{.items[?(@..ready==true)].metadata.name}|127.0.0.1",
        "{..name}|127.0.0.1 127.0.0.2 myself e2e"
      })
  void print_nodes_likeUpstream(String template, String expected) {
    assertThat(JsonPath.parse(template).print(NODES)).isEqualTo(expected);
  }

  /** TestEmptyRange, TestNestedRanges, TestFilterPartialMatches…, TestRunningPodsJSONPathOutput. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "{range .items[0:2]}{.metadata.name}{\":\"}{range @.spec.containers[*]}{.name}{\",\"}{end}{\"+\"}{end}|pod1:foo,bar,+pod2:baz,+",
        "{range .items[2:3]}{range @.spec.containers[*]}{.name}{end}{end}-|-",
        "{.items[?(@.metadata.annotations.color==\"blue\")].metadata.name}|pod1",
        "before-{.hello}after|before-after"
      })
  void print_missingKeysAllowed_likeUpstream(String template, String expected) {
    assertThat(JsonPath.parse(template).allowMissingKeys().print(PODS)).isEqualTo(expected);
  }

  @Test
  void print_escapes_areNewlinesAndTabs() {
    assertThat(
            JsonPath.parse(
                    "{range .items[?(.status.phase==\"Running\")]}{.metadata.name}{\"\\tup\\n\"}{end}")
                .allowMissingKeys()
                .print(PODS))
        .isEqualTo("pod1\tup\npod2\tup\n");
  }

  @Test
  void print_filterOverMissingKey_isAnErrorUnlessAllowed() {
    assertThatThrownBy(
            () ->
                JsonPath.parse("{.items[?(@.metadata.annotations.color==\"blue\")].metadata.name}")
                    .print(PODS))
        .isInstanceOf(JsonPathException.class)
        .hasMessage("annotations is not found");
  }

  /** TestNegativeIndex and TestStep. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0]|0",
        "[0:0]|''",
        "[0:-1]|0 1 2 3 4",
        "[-1]|5",
        "[-1:]|5",
        "[-2:]|4 5",
        "[-6]|0",
        "[7:7]|''",
        "[-7:-7]|''",
        "[0:]|0 1 2 3 4 5",
        "[0:6:]|0 1 2 3 4 5",
        "[1:4:2]|1 3",
        "[1:4:3]|1",
        "[0:6:5]|0 5",
        "[0:6:6]|0",
        "[*]|0 1 2 3 4 5"
      })
  void print_slices_likeUpstream(String slice, String expected) {
    assertThat(JsonPath.parse("{.c" + slice + ".n}").print(SIX)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{hello}|unrecognized identifier hello",
        "{.hello}|hello is not found",
        "{.Labels[0]}|an object is not array or slice",
        "{.Book[?(@.Price<>10)]}|unrecognized filter operator <>",
        "{range .Labels.*}{@}{end}{end}|not in range, nothing to end",
        "{range .Labels.*}{@}|range without end",
        "{.....Price}|invalid multiple recursive descent",
        "{.Book[2:1]}|starting index 2 is greater than ending index 1",
        "{.Book[-1:0]}|starting index 2 is greater than ending index 0",
        "{.Book[-5]}|array index out of bounds: index -2, length 3",
        "{1e9999}|number out of range",
        "{1e9999999999}|number out of range",
        "{.Book[0:6:0]}|step must be > 0",
        "{.Book[0:6:-1]}|step must be > 0",
        "{.Book[x]}|invalid array index x",
        "{.Book[99999999999]}|array index 99999999999 is not a number",
        "{.Book|unclosed action",
        "{.Book[0|unterminated array",
        "{.Book[?(@.x|unterminated filter",
        "{.Book[?(@.x)|unclosed array expect ]",
        "{\"x}|unterminated quoted string",
        "{.Book[?(@.Author<5)]}|cannot order a string and a number"
      })
  void printOrParse_doesNotFit_saysWhy(String template, String message) {
    assertThatThrownBy(() -> JsonPath.parse(template).print(STORE))
        .isInstanceOf(JsonPathException.class)
        .hasMessage(message);
  }

  /** The output of {@code kubectl -o jsonpath} 1.36 for such an object. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "{.m.f[-2:]}|f/3 f/4",
        "{.m.f[::2]}|f/1 f/3",
        "{.m.f[0,2]}|f/1 f/3",
        "{.m.f[]}|f/1",
        "{.m.f[:]}|f/1 f/2 f/3 f/4",
        "{.m.f[4:]}|",
        "{.m.f[9]}|array index out of bounds: index 9, length 4",
        "{.m.f[1:9]}|array index out of bounds: index 8, length 4",
        "{.m.f[-9:2]}|array index out of bounds: index -5, length 4",
        "{.m.f[3:1]}|starting index 3 is greater than ending index 1",
        "{.m.labels['x\\.y/z']}|1",
        "{.m['name','generation']}|c 5",
        "{.m.nope.deep}|",
        "{.nope[0]}|",
        "{.nope[*]}|",
        "{.m.owners[?(@.controller==true)].name}|p",
        "{.m.owners[?(@.controller)].name}|p",
        "{.m.owners[?(.name=='q')].uid}|u2",
        "{.m.owners[?(@.name == 'q')].uid}|u2",
        "{.m.owners[?(@.nope=='x')].uid}|",
        "{.m.owners[?(@.uid>=\"u2\")].name}|q",
        "{.m.owners[*]['name','uid']}|p q u1 u2",
        "{.m.owners[0]['name','uid']}|p u1",
        "{.m.owners[*].controller}|true",
        "{.m.labels[?(@=='1')]}|an object is not array or slice and cannot be filtered",
        "{.m.generation[0]}|a number is not array or slice",
        "{.m.name[0]}|a string is not array or slice",
        "{..uid}|u1 u2",
        "{..owners[0].name}|p",
        "{.m..name}|c p q",
        "{'single'}{\"double\"}{'it\\'s'}|singledoubleit's",
        "{1.5}{-3}{true}|1.5-3true",
        "{range .m.owners[*]}{range @.kind}{@}-{end}{end}|Pod-Pod-",
        "{ .m .name }}|c}",
        "{.m.f['a']}|"
      })
  void print_missingKeysAllowed_likeKubectl(String template, @Nullable String expected) {
    Object object =
        json(
            "{'m':{'name':'c','labels':{'x.y/z':'1'},'f':['f/1','f/2','f/3','f/4'],'owners':["
                + "{'kind':'Pod','name':'p','uid':'u1','controller':true},"
                + "{'kind':'Pod','name':'q','uid':'u2'}],'generation':5}}");
    String printed;
    try {
      printed = JsonPath.parse(template).allowMissingKeys().print(object);
    } catch (JsonPathException e) {
      printed = e.getMessage();
    }

    assertThat(printed).isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource({".Name", "Name", "{.Name}", "$.Name", "['Name']"})
  void column_formsOfAPath_findTheSame(String path) {
    assertThat(JsonPath.column(path).find(STORE)).containsExactly("corner");
  }

  @Test
  void column_missing_findsNothing() {
    assertThat(JsonPath.column(".status.no.such[0].thing").find(STORE)).isEmpty();
    assertThat(JsonPath.column(".status.no.such[0].thing").print(STORE)).isEmpty();
  }

  @Test
  void parse_deepNesting_isRefusedAndDoesNotOverflow() {
    String nested = "{" + "[?(".repeat(10_000) + "@" + ")]".repeat(10_000) + "}";

    assertThatThrownBy(() -> JsonPath.parse(nested)).isInstanceOf(JsonPathException.class);
  }

  @Test
  void parseAndPrint_garbage_throwOnlyTheDocumentedException() {
    long seed = 20260102;
    Random random = new Random(seed);
    String alphabet = "{}[]().,:*?@$<>=!'\"\\-+019 abNameBook\t\nrange end";
    for (int i = 0; i < 40_000; i++) {
      StringBuilder template = new StringBuilder("{");
      for (int n = random.nextInt(20); n > 0; n--) {
        template.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        JsonPath.parse(template.append('}').toString()).print(STORE);
      } catch (JsonPathException expected) {
        assertThat(expected).as("seed %d, case %d", seed, i).hasMessageMatching("(?s).{5,200}");
      }
    }
  }
}
