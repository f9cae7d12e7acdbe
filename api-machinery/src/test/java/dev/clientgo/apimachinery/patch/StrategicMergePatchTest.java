package dev.clientgo.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Behaviour of apimachinery's strategicpatch/patch_test.go, on documents of our own. */
final class StrategicMergePatchTest {

  private static final PatchSchema SCHEMA =
      PatchSchema.ofOpenApi(
          Json.map(
              """
              {'components': {'schemas': {'Item': {'type': 'object', 'properties': {
                'merged': {'type': 'array', 'x-kubernetes-patch-strategy': 'merge',
                           'x-kubernetes-patch-merge-key': 'name',
                           'items': {'allOf': [{'$ref': '#/components/schemas/Item'}]}},
                'set': {'type': 'array', 'items': {'type': 'string'},
                        'x-kubernetes-patch-strategy': 'merge'},
                'list': {'type': 'array', 'items': {'type': 'string'}},
                'whole': {'type': 'object', 'x-kubernetes-patch-strategy': 'replace'},
                'retained': {'type': 'object', 'x-kubernetes-patch-strategy': 'retainKeys'},
                'inner': {'$ref': '#/components/schemas/Item'}}}}}}
              """),
          "Item");

  @ParameterizedTest
  @MethodSource
  void apply_patch_likeUpstream(String original, String patch, String expected) {
    Map<String, Object> before = Json.map(original);

    assertThat(StrategicMergePatch.apply(before, Json.map(patch), SCHEMA))
        .isEqualTo(Json.map(expected));
    assertThat(before).isEqualTo(Json.map(original));
  }

  static Stream<Arguments> apply_patch_likeUpstream() {
    return Stream.of(
        argumentSet("set and remove", "{'a':1,'b':2}", "{'a':3,'b':null,'c':4}", "{'a':3,'c':4}"),
        argumentSet(
            "maps merge",
            "{'inner':{'a':1,'b':2}}",
            "{'inner':{'b':null,'c':3}}",
            "{'inner':{'a':1,'c':3}}"),
        argumentSet(
            "lists replace by default", "{'list':['a','b']}", "{'list':['c']}", "{'list':['c']}"),
        argumentSet(
            "sets merge without repetition",
            "{'set':['a','b']}",
            "{'set':['b','c']}",
            "{'set':['a','b','c']}"),
        argumentSet(
            "delete from a set",
            "{'set':['a','b','c']}",
            "{'$deleteFromPrimitiveList/set':['b']}",
            "{'set':['a','c']}"),
        argumentSet(
            "delete from and add to a set",
            "{'set':['a','b']}",
            "{'$deleteFromPrimitiveList/set':['a'],'set':['c']}",
            "{'set':['c','b']}"),
        argumentSet(
            "merge by key",
            "{'merged':[{'name':'x','v':1},{'name':'y','v':2}]}",
            "{'merged':[{'name':'y','w':3}]}",
            "{'merged':[{'name':'x','v':1},{'name':'y','v':2,'w':3}]}"),
        argumentSet(
            "what is new comes first, as upstream has it",
            "{'merged':[{'name':'x'}]}",
            "{'merged':[{'name':'y','v':null}]}",
            "{'merged':[{'name':'y'},{'name':'x'}]}"),
        argumentSet(
            "delete by key",
            "{'merged':[{'name':'x'},{'name':'y'}]}",
            "{'merged':[{'name':'x','$patch':'delete'}]}",
            "{'merged':[{'name':'y'}]}"),
        argumentSet(
            "delete what is not there",
            "{'merged':[{'name':'x'}]}",
            "{'merged':[{'name':'z','$patch':'delete'}]}",
            "{'merged':[{'name':'x'}]}"),
        argumentSet(
            "replace a merged list",
            "{'merged':[{'name':'x'},{'name':'y'}]}",
            "{'merged':[{'name':'z'},{'$patch':'replace'}]}",
            "{'merged':[{'name':'z'}]}"),
        argumentSet(
            "lists within lists",
            "{'merged':[{'name':'x','set':['a']}]}",
            "{'merged':[{'name':'x','set':['b']}]}",
            "{'merged':[{'name':'x','set':['b','a']}]}"),
        argumentSet(
            "replace a map by directive",
            "{'inner':{'a':1}}",
            "{'inner':{'$patch':'replace','b':2}}",
            "{'inner':{'b':2}}"),
        argumentSet(
            "delete a map's content by directive",
            "{'inner':{'a':1}}",
            "{'inner':{'$patch':'delete'}}",
            "{'inner':{}}"),
        argumentSet(
            "replace by strategy", "{'whole':{'a':1}}", "{'whole':{'b':2}}", "{'whole':{'b':2}}"),
        argumentSet(
            "retain keys",
            "{'retained':{'a':1,'b':2}}",
            "{'retained':{'$retainKeys':['b','c'],'c':3}}",
            "{'retained':{'b':2,'c':3}}"),
        argumentSet(
            "order of a set",
            "{'set':['a','b','c']}",
            "{'$setElementOrder/set':['c','b','a']}",
            "{'set':['c','b','a']}"),
        argumentSet(
            "order of objects",
            "{'merged':[{'name':'a'},{'name':'b'}]}",
            "{'$setElementOrder/merged':[{'name':'c'},{'name':'b'},{'name':'a'}],'merged':[{'name':'c'}]}",
            "{'merged':[{'name':'c'},{'name':'b'},{'name':'a'}]}"),
        argumentSet(
            "unnamed elements keep their place",
            "{'set':['x','a','y','b','z']}",
            "{'$setElementOrder/set':['a','b']}",
            "{'set':['x','a','y','b','z']}"),
        argumentSet("types differ", "{'inner':{'a':1}}", "{'inner':'text'}", "{'inner':'text'}"),
        argumentSet(
            "new values lose directives",
            "{}",
            "{'inner':{'$retainKeys':['a'],'a':1,'b':null}}",
            "{'inner':{'a':1}}"),
        argumentSet(
            "unknown fields merge like maps",
            "{'other':{'a':1}}",
            "{'other':{'b':2}}",
            "{'other':{'a':1,'b':2}}"));
  }

  @ParameterizedTest
  @MethodSource
  void apply_doesNotFit_saysWhy(String original, String patch, String message) {
    assertThatThrownBy(() -> StrategicMergePatch.apply(Json.map(original), Json.map(patch), SCHEMA))
        .isInstanceOf(PatchException.class)
        .hasMessageContaining(message);
  }

  static Stream<Arguments> apply_doesNotFit_saysWhy() {
    return Stream.of(
        Arguments.of(
            "{'merged':[{'name':'x'}]}",
            "{'merged':[{'v':1}]}",
            "does not contain its merge key \"name\""),
        Arguments.of(
            "{'merged':[{'name':'x'}]}",
            "{'merged':[{'name':'x','$patch':'merge'}]}",
            "$patch: merge is not supported within a list"),
        Arguments.of("{'inner':{}}", "{'inner':{'$patch':'frob'}}", "unknown $patch: \"frob\""),
        Arguments.of(
            "{'retained':{'a':1}}",
            "{'retained':{'$retainKeys':['a'],'b':1}}",
            "$retainKeys does not list \"b\""),
        Arguments.of(
            "{'set':['a']}", "{'$deleteFromPrimitiveList/set':'a'}", "is not an array but \"a\""));
  }

  @ParameterizedTest
  @MethodSource
  void create_twoDocuments_saysWhatDiffers(String original, String modified, String expected) {
    Map<String, Object> patch =
        StrategicMergePatch.create(Json.map(original), Json.map(modified), SCHEMA);

    assertThat(patch).isEqualTo(Json.map(expected));
    assertThat(StrategicMergePatch.apply(Json.map(original), patch, SCHEMA))
        .isEqualTo(Json.map(modified));
  }

  static Stream<Arguments> create_twoDocuments_saysWhatDiffers() {
    return Stream.of(
        argumentSet("nothing", "{'a':1}", "{'a':1}", "{}"),
        argumentSet(
            "maps", "{'a':1,'inner':{'b':1}}", "{'inner':{'b':2}}", "{'a':null,'inner':{'b':2}}"),
        argumentSet(
            "set",
            "{'set':['a','b']}",
            "{'set':['b','c']}",
            "{'set':['c'],'$deleteFromPrimitiveList/set':['a'],'$setElementOrder/set':['b','c']}"),
        argumentSet(
            "element changed",
            "{'merged':[{'name':'x','v':1}]}",
            "{'merged':[{'name':'x','v':2}]}",
            "{'merged':[{'name':'x','v':2}],'$setElementOrder/merged':[{'name':'x'}]}"),
        argumentSet(
            "element gone",
            "{'merged':[{'name':'x'},{'name':'y'}]}",
            "{'merged':[{'name':'y'}]}",
            "{'merged':[{'name':'x','$patch':'delete'}],'$setElementOrder/merged':[{'name':'y'}]}"),
        argumentSet(
            "order alone",
            "{'set':['a','b']}",
            "{'set':['b','a']}",
            "{'$setElementOrder/set':['b','a']}"),
        argumentSet("plain list", "{'list':['a']}", "{'list':['a','b']}", "{'list':['a','b']}"),
        argumentSet(
            "retained",
            "{'retained':{'a':1,'b':2}}",
            "{'retained':{'a':1,'c':3}}",
            "{'retained':{'$retainKeys':['a','c'],'b':null,'c':3}}"));
  }

  @Test
  void createThenApply_randomDocuments_givesTheModifiedOne() {
    long seed = 20260104;
    Random random = new Random(seed);
    for (int i = 0; i < 3000; i++) {
      Map<String, Object> from = document(random, 3);
      Map<String, Object> to = document(random, 3);

      assertThat(
              StrategicMergePatch.apply(from, StrategicMergePatch.create(from, to, SCHEMA), SCHEMA))
          .as("seed %d, case %d: %s to %s", seed, i, from, to)
          .isEqualTo(to);
    }
  }

  private static Map<String, Object> document(Random random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (random.nextBoolean()) {
      map.put("a", random.nextInt(3));
    }
    if (random.nextBoolean()) {
      map.put("set", distinct(random, 4));
    }
    if (random.nextBoolean()) {
      map.put("list", distinct(random, 3));
    }
    if (depth > 0 && random.nextBoolean()) {
      map.put("inner", document(random, depth - 1));
    }
    if (depth > 0 && random.nextBoolean()) {
      List<Object> merged = new ArrayList<>();
      for (Object name : distinct(random, 4)) {
        Map<String, Object> element = document(random, depth - 1);
        element.put("name", name);
        merged.add(element);
      }
      map.put("merged", merged);
    }
    return map;
  }

  private static List<Object> distinct(Random random, int bound) {
    List<Object> values = new ArrayList<>();
    for (int n = 1 + random.nextInt(bound); n > 0; n--) {
      Object value = "v" + random.nextInt(bound);
      if (!values.contains(value)) {
        values.add(value);
      }
    }
    return values;
  }

  /** Elements that the author removed go, elements of others stay. */
  @Test
  void createThreeWay_othersAdditionsStay() {
    Map<String, Object> original = Json.map("{'a':1,'merged':[{'name':'x','v':1},{'name':'y'}]}");
    Map<String, Object> modified = Json.map("{'b':2,'merged':[{'name':'x','v':2}]}");
    Map<String, Object> current =
        Json.map("{'a':1,'c':3,'merged':[{'name':'x','v':1},{'name':'y'},{'name':'z'}]}");

    Map<String, Object> patch =
        StrategicMergePatch.createThreeWay(original, modified, current, SCHEMA, true);

    assertThat(StrategicMergePatch.apply(current, patch, SCHEMA))
        .isEqualTo(Json.map("{'b':2,'c':3,'merged':[{'name':'x','v':2},{'name':'z'}]}"));
  }

  @Test
  void createThreeWay_othersChangedTheSame_isAConflictUnlessOverwritten() {
    Map<String, Object> original = Json.map("{'merged':[{'name':'x','v':1}]}");
    Map<String, Object> modified = Json.map("{'merged':[{'name':'x','v':2}]}");
    Map<String, Object> current = Json.map("{'merged':[{'name':'x','v':3}]}");

    assertThatThrownBy(
            () -> StrategicMergePatch.createThreeWay(original, modified, current, SCHEMA, false))
        .isInstanceOf(PatchException.class)
        .hasMessage("conflict at /merged/x/v: the patch sets 2, but another author has set 3");
    assertThat(
            StrategicMergePatch.apply(
                current,
                StrategicMergePatch.createThreeWay(original, modified, current, SCHEMA, true),
                SCHEMA))
        .isEqualTo(modified);
  }

  @Test
  void ofOpenApi_unknownComponent_saysSo() {
    assertThatThrownBy(() -> PatchSchema.ofOpenApi(Map.of(), "Pod"))
        .hasMessage("the OpenAPI document has no schema Pod");
  }
}
