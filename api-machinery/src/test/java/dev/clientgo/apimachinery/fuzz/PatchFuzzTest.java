package dev.clientgo.apimachinery.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.patch.PatchException;
import dev.clientgo.apimachinery.patch.PatchSchema;
import dev.clientgo.apimachinery.patch.StrategicMergePatch;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Patches of all kinds, on documents that they were not made for. */
@Timeout(value = 1, unit = TimeUnit.DAYS)
final class PatchFuzzTest {

  private static final Set<Class<? extends RuntimeException>> PATCH = Set.of(PatchException.class);

  private static final String DOCUMENT =
      "{'metadata':{'name':'x','labels':{'a':'1'}},'merged':[{'name':'a','v':1,'set':['p','q']},"
          + "{'name':'b','inner':{'list':[1,2]}}],'set':['x','y'],'list':['l'],'whole':{'k':1},"
          + "'retained':{'r':1,'s':2}}";

  private static final PatchSchema SCHEMA =
      PatchSchema.ofOpenApi(
          map(
              TreeMutator.parse(
                  "{'components':{'schemas':{'Item':{'type':'object','properties':{"
                      + "'merged':{'type':'array','x-kubernetes-patch-strategy':'merge',"
                      + "'x-kubernetes-patch-merge-key':'name',"
                      + "'items':{'$ref':'#/components/schemas/Item'}},"
                      + "'set':{'type':'array','items':{'type':'string'},"
                      + "'x-kubernetes-patch-strategy':'merge'},"
                      + "'whole':{'type':'object','x-kubernetes-patch-strategy':'replace'},"
                      + "'retained':{'type':'object','x-kubernetes-patch-strategy':'retainKeys'},"
                      + "'inner':{'$ref':'#/components/schemas/Item'}}}}}}")),
          "Item");

  /** Two documents or more, of which the last is the patch. */
  private record Input(Object first, Object second, Object third) {

    static Function<Random, Input> of(TreeMutator documents, TreeMutator patches) {
      return random ->
          new Input(documents.apply(random), documents.apply(random), patches.apply(random));
    }
  }

  @Test
  void jsonPatch_anyTree_isAppliedOrRefused() {
    TreeMutator patches =
        new TreeMutator(
            "[{'op':'test','path':'/metadata/name','value':'x'},{'op':'add','path':'/list/-',"
                + "'value':{'n':null}},{'op':'replace','path':'/set/0','value':7},{'op':'remove',"
                + "'path':'/whole'}]",
            "[{'op':'move','from':'/merged/0','path':'/merged/1'},{'op':'copy','from':'',"
                + "'path':'/list/0'},{'op':'add','path':'','value':[1]}]");
    Fuzzer.fuzz(
        "JSON patch",
        Input.of(new TreeMutator(DOCUMENT, "[1,[2,3]]"), patches),
        input -> {
          String before = input.first.toString();
          JsonPatch patch = JsonPatch.of(input.third);
          assertThat(JsonPatch.of(patch.toTree())).isEqualTo(patch);
          try {
            patch.apply(input.first);
          } finally {
            assertThat(input.first).hasToString(before);
          }
        },
        PATCH);
  }

  @Test
  void mergePatch_anyTrees_isAppliedAndCreatedAgain() {
    TreeMutator documents = new TreeMutator(DOCUMENT);
    Fuzzer.fuzz(
        "merge patch",
        Input.of(documents, documents),
        input -> {
          Map<String, ?> original = map(input.first);
          Map<String, ?> modified = map(input.second);
          MergePatch.apply(input.first, input.third);
          Object applied = MergePatch.apply(original, MergePatch.create(original, modified));
          // A merge patch cannot set null, which counts as absent.
          assertThat(MergePatch.create(map(applied), modified)).isEmpty();
          MergePatch.createThreeWay(original, modified, map(input.third));
          if (original.isEmpty()) {
            throw new PatchException("counts as refused");
          }
        },
        PATCH);
  }

  @Test
  void strategicMergePatch_anyTrees_isAppliedOrRefused() {
    TreeMutator patches =
        new TreeMutator(
            DOCUMENT,
            "{'merged':[{'$patch':'delete','name':'a'},{'name':'c'},{'$patch':'replace'}],"
                + "'$setElementOrder/merged':[{'name':'b'},{'name':'c'}],"
                + "'$deleteFromPrimitiveList/set':['x'],'retained':{'$retainKeys':['r'],'r':2},"
                + "'whole':{'$patch':'replace','z':1},'list':null}");
    Fuzzer.fuzz(
        "strategic merge patch",
        Input.of(new TreeMutator(DOCUMENT), patches),
        input -> {
          Map<String, ?> original = map(input.first);
          Map<String, ?> modified = map(input.second);
          Map<String, ?> patch = map(input.third);
          String before = original.toString();
          try {
            StrategicMergePatch.apply(original, patch, SCHEMA);
            StrategicMergePatch.apply(
                original, StrategicMergePatch.create(original, modified, SCHEMA), SCHEMA);
            StrategicMergePatch.createThreeWay(original, modified, patch, SCHEMA, true);
            StrategicMergePatch.createThreeWay(original, modified, patch, SCHEMA, false);
          } finally {
            assertThat(original).hasToString(before);
          }
        },
        PATCH);
  }

  @SuppressWarnings("unchecked") // the mutator leaves a map a map at the top
  private static Map<String, Object> map(Object tree) {
    return (Map<String, Object>) tree;
  }
}
