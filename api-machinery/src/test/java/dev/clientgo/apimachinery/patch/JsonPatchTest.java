package dev.clientgo.apimachinery.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class JsonPatchTest {

  @ParameterizedTest
  @MethodSource
  void apply_caseOfTheRfc_givesWhatTheRfcSays(String document, String patch, String expected) {
    Object before = Json.tree(document);

    Object after = JsonPatch.of(Json.tree(patch)).apply(before);

    assertThat(Trees.equal(after, Json.tree(expected))).as("%s", after).isTrue();
    assertThat(before).as("the document is left alone").isEqualTo(Json.tree(document));
  }

  /** The examples of RFC 6902, appendix A, and the corners around them. */
  static Stream<Arguments> apply_caseOfTheRfc_givesWhatTheRfcSays() {
    return Stream.of(
        argumentSet(
            "A.1 add a member",
            "{'foo':'bar'}",
            "[{'op':'add','path':'/baz','value':'qux'}]",
            "{'baz':'qux','foo':'bar'}"),
        argumentSet(
            "A.2 add an element",
            "{'foo':['bar','baz']}",
            "[{'op':'add','path':'/foo/1','value':'qux'}]",
            "{'foo':['bar','qux','baz']}"),
        argumentSet(
            "A.3 remove a member",
            "{'baz':'qux','foo':'bar'}",
            "[{'op':'remove','path':'/baz'}]",
            "{'foo':'bar'}"),
        argumentSet(
            "A.4 remove an element",
            "{'foo':['bar','qux','baz']}",
            "[{'op':'remove','path':'/foo/1'}]",
            "{'foo':['bar','baz']}"),
        argumentSet(
            "A.5 replace a value",
            "{'baz':'qux','foo':'bar'}",
            "[{'op':'replace','path':'/baz','value':'boo'}]",
            "{'baz':'boo','foo':'bar'}"),
        argumentSet(
            "A.6 move a value",
            "{'foo':{'bar':'baz','waldo':'fred'},'qux':{'corge':'grault'}}",
            "[{'op':'move','from':'/foo/waldo','path':'/qux/thud'}]",
            "{'foo':{'bar':'baz'},'qux':{'corge':'grault','thud':'fred'}}"),
        argumentSet(
            "A.7 move an element",
            "{'foo':['all','grass','cows','eat']}",
            "[{'op':'move','from':'/foo/1','path':'/foo/3'}]",
            "{'foo':['all','cows','eat','grass']}"),
        argumentSet(
            "A.8 test a value",
            "{'baz':'qux','foo':['a',2,'c']}",
            "[{'op':'test','path':'/baz','value':'qux'},{'op':'test','path':'/foo/1','value':2}]",
            "{'baz':'qux','foo':['a',2,'c']}"),
        argumentSet(
            "A.10 add a nested member",
            "{'foo':'bar'}",
            "[{'op':'add','path':'/child','value':{'grandchild':{}}}]",
            "{'foo':'bar','child':{'grandchild':{}}}"),
        argumentSet(
            "A.11 unknown fields are ignored",
            "{'foo':'bar'}",
            "[{'op':'add','path':'/baz','value':'qux','xyz':123}]",
            "{'foo':'bar','baz':'qux'}"),
        argumentSet(
            "A.14 escapes",
            "{'/':9,'~1':10}",
            "[{'op':'test','path':'/~01','value':10}]",
            "{'/':9,'~1':10}"),
        argumentSet(
            "A.16 add an array",
            "{'foo':['bar']}",
            "[{'op':'add','path':'/foo/-','value':['abc','def']}]",
            "{'foo':['bar',['abc','def']]}"),
        argumentSet(
            "add sets what is there",
            "{'foo':1}",
            "[{'op':'add','path':'/foo','value':2}]",
            "{'foo':2}"),
        argumentSet("add null", "{}", "[{'op':'add','path':'/foo','value':null}]", "{'foo':null}"),
        argumentSet(
            "replace the document", "{'foo':1}", "[{'op':'replace','path':'','value':[1]}]", "[1]"),
        argumentSet(
            "copy is independent",
            "{'a':{'x':1}}",
            "[{'op':'copy','from':'/a','path':'/b'},{'op':'replace','path':'/b/x','value':2}]",
            "{'a':{'x':1},'b':{'x':2}}"),
        argumentSet(
            "numbers compare by value",
            "{'a':1}",
            "[{'op':'test','path':'/a','value':1.0}]",
            "{'a':1}"),
        argumentSet(
            "test null", "{'a':null}", "[{'op':'test','path':'/a','value':null}]", "{'a':null}"),
        argumentSet(
            "move onto itself", "{'a':1}", "[{'op':'move','from':'/a','path':'/a'}]", "{'a':1}"));
  }

  @ParameterizedTest
  @MethodSource
  void apply_doesNotFit_namesTheOperation(String document, String patch, String message) {
    assertThatThrownBy(() -> JsonPatch.of(Json.tree(patch)).apply(Json.tree(document)))
        .isInstanceOf(PatchException.class)
        .hasMessage(message);
  }

  static Stream<Arguments> apply_doesNotFit_namesTheOperation() {
    return Stream.of(
        Arguments.of(
            "{'baz':'qux'}",
            "[{'op':'test','path':'/baz','value':'bar'}]",
            "operation 0 (test at \"/baz\"): expected \"bar\", found \"qux\""),
        Arguments.of(
            "{'foo':'bar'}",
            "[{'op':'add','path':'/baz/bat','value':'qux'}]",
            "operation 0 (add at \"/baz/bat\"): nothing is at \"/baz\""),
        Arguments.of(
            "{}",
            "[{'op':'remove','path':'/a'}]",
            "operation 0 (remove at \"/a\"): nothing is at \"/a\""),
        Arguments.of(
            "{'a':[]}",
            "[{'op':'add','path':'/a/1','value':1}]",
            "operation 0 (add at \"/a/1\"): \"1\" is no index of an array of 0"),
        Arguments.of(
            "{'a':'x'}",
            "[{'op':'add','path':'/a/b','value':1}]",
            "operation 0 (add at \"/a/b\"): \"/a\" is neither object nor array but \"x\""),
        Arguments.of(
            "{'a':{'b':1}}",
            "[{'op':'move','from':'/a','path':'/a/b'}]",
            "operation 0 (move at \"/a/b\"): a value cannot be moved into itself"),
        Arguments.of(
            "{}", "[{'op':'frob','path':'/a'}]", "operation 0 has an unknown \"op\": \"frob\""),
        Arguments.of("{}", "[{'op':'add','path':'/a'}]", "operation 0 (add) has no \"value\""),
        Arguments.of(
            "{}",
            "[{'op':'copy','path':'/a'}]",
            "operation 0 (copy) has no \"from\" that is a string"),
        Arguments.of(
            "{}",
            "{'op':'add'}",
            "a JSON patch is an array of operations, not an object of 1 fields"),
        Arguments.of("{}", "['add']", "operation 0 is not an object but \"add\""));
  }

  @Test
  void apply_laterOperationFails_leavesTheDocument() {
    Object document = Json.tree("{'a':{'b':1}}");
    JsonPatch patch = JsonPatch.builder().replace("/a/b", 2).test("/a/b", 3).build();

    assertThatThrownBy(() -> patch.apply(document)).isInstanceOf(PatchException.class);

    assertThat(document).isEqualTo(Json.tree("{'a':{'b':1}}"));
  }

  /** Thirty copies of all into itself would have 2^30 times the size. */
  @Test
  void apply_copiesThatDouble_isRefused() {
    JsonPatch.Builder patch = JsonPatch.builder();
    for (int i = 0; i < 30; i++) {
      patch.copy("/a", "/a/x" + i);
    }
    Object document = Json.tree("{'a':{'text':'" + "t".repeat(1000) + "'}}");

    assertThatThrownBy(() -> patch.build().apply(document))
        .isInstanceOf(PatchException.class)
        .hasMessage(
            "operation 11 (copy at \"/a/x11\"): the patch copies more than 3145728 bytes: split it");
  }

  /** The bound is of all copies, also if their results are removed. */
  @Test
  void apply_manyCopies_areCountedTogether() {
    JsonPatch.Builder patch = JsonPatch.builder();
    for (int i = 0; i < 4; i++) {
      patch.copy("/a", "/b").remove("/b");
    }
    Object document = Json.tree("{'a':'" + "t".repeat(1 << 20) + "'}");

    assertThatThrownBy(() -> patch.build().apply(document)).hasMessageStartingWith("operation 4 ");
  }

  static Stream<Object> apply_copiesOfAMebibyte_areCounted() {
    BigInteger number = new BigInteger("9".repeat(1 << 10));
    return Stream.of(Collections.nCopies(1 << 10, number), Map.of("k".repeat(1 << 20), 1));
  }

  /** Numbers and keys count, too, and a value that the patch itself adds. */
  @ParameterizedTest
  @MethodSource
  void apply_copiesOfAMebibyte_areCounted(Object value) {
    JsonPatch.Builder patch = JsonPatch.builder().add("/a", value);
    for (int i = 0; i < 3; i++) {
      patch.copy("/a", "/b");
    }

    assertThatThrownBy(() -> patch.build().apply(Map.of())).hasMessageStartingWith("operation 3 ");
  }

  @Test
  void toTree_ofBuilt_readsBackAsTheSame() {
    JsonPatch patch =
        JsonPatch.builder()
            .add("/a", List.of(1))
            .remove("/b")
            .replace("/c", null)
            .move("/d", "/e")
            .copy("/f", "/g~1h")
            .test("/i", true)
            .build();

    assertThat(JsonPatch.of(patch.toTree())).isEqualTo(patch);
  }

  @ParameterizedTest
  @MethodSource
  void create_changesOnlyWhatDiffers(String before, String after, String expected) {
    JsonPatch patch = JsonPatch.create(Json.tree(before), Json.tree(after));

    assertThat(patch).isEqualTo(JsonPatch.of(Json.tree(expected)));
    assertThat(Trees.equal(patch.apply(Json.tree(before)), Json.tree(after))).isTrue();
  }

  static Stream<Arguments> create_changesOnlyWhatDiffers() {
    return Stream.of(
        argumentSet("equal", "{'a':1,'b':[2]}", "{'b':[2.0],'a':1}", "[]"),
        argumentSet(
            "fields",
            "{'a':1,'b':{'c':2},'d':null}",
            "{'b':{'c':3,'e':null},'f':{'g':[]}}",
            "[{'op':'remove','path':'/a'},{'op':'replace','path':'/b/c','value':3},"
                + "{'op':'add','path':'/b/e','value':null},{'op':'remove','path':'/d'},"
                + "{'op':'add','path':'/f','value':{'g':[]}}]"),
        argumentSet(
            "names with slashes and tildes",
            "{'x/y':{'~':1}}",
            "{'x/y':{'~':2}}",
            "[{'op':'replace','path':'/x~1y/~0','value':2}]"),
        argumentSet(
            "another type",
            "{'a':{'b':1}}",
            "{'a':[1]}",
            "[{'op':'replace','path':'/a','value':[1]}]"),
        argumentSet(
            "an element at the start of a list",
            "{'a':[1,2,3]}",
            "{'a':[0,1,2,3]}",
            "[{'op':'add','path':'/a/0','value':0}]"),
        argumentSet(
            "elements in the middle of a list",
            "{'a':[1,{'b':1},3,4,9]}",
            "{'a':[1,{'b':2},9]}",
            "[{'op':'replace','path':'/a/1/b','value':2},{'op':'remove','path':'/a/3'},"
                + "{'op':'remove','path':'/a/2'}]"),
        argumentSet(
            "elements at the end of a list",
            "{'a':[]}",
            "{'a':[1,2]}",
            "[{'op':'add','path':'/a/0','value':1},{'op':'add','path':'/a/1','value':2}]"),
        argumentSet(
            "the whole document",
            "[1]",
            "{'a':1}",
            "[{'op':'replace','path':'','value':{'a':1}}]"));
  }
}
