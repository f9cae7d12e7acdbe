package dev.clientgo.apimachinery.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.jsonpath.JsonPath;
import dev.clientgo.apimachinery.jsonpath.JsonPathException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.patch.JsonPointer;
import dev.clientgo.apimachinery.patch.PatchException;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parsers of short texts. They must accept the text of each value that they return. */
@Timeout(value = 1, unit = TimeUnit.DAYS)
final class ParserFuzzTest {

  private static final Set<Class<? extends RuntimeException>> ILLEGAL =
      Set.of(IllegalArgumentException.class);

  private static final Map<String, String> LABELS = Map.of("x", "a", "y", "7", "z", "");

  @Test
  void labelSelector_anyText_isReadOrRefused() {
    TextMutator texts =
        new TextMutator(
            "x=a,y==b,z!=c",
            "x in (a,b,),!y,z notin ()",
            "a.b/c-d > 5,e<6",
            "in in (in,notin),notin=in",
            "");
    Fuzzer.fuzz(
        "label selector",
        texts,
        text -> {
          var selector = Selector.parse(text);
          var again = Selector.parse(selector.toString());
          assertThat(again).isEqualTo(selector).hasToString(selector.toString());
          boolean matches = selector.matches(LABELS);
          // A number cannot be compared in the form that objects carry, and is refused here.
          var converted = Selector.of(selector.toLabelSelector());
          assertThat(converted.matches(LABELS)).isEqualTo(matches);
        },
        ILLEGAL);
  }

  @Test
  void fieldSelector_anyText_isReadOrRefused() {
    Fuzzer.fuzz(
        "field selector",
        new TextMutator("x=a,y==b,z!=c", "metadata.name=a\\,b\\=c\\\\d,,status.phase!=", "=", ""),
        text -> {
          FieldSelector selector = FieldSelector.parse(text);
          // Terms are sorted as they are written, so x==a may move when it is written as x=a.
          FieldSelector again = FieldSelector.parse(selector.toString());
          assertThat(again.requirements())
              .containsExactlyInAnyOrderElementsOf(selector.requirements());
          assertThat(FieldSelector.parse(again.toString())).isEqualTo(again);
          assertThat(again.matches(LABELS)).isEqualTo(selector.matches(LABELS));
        },
        ILLEGAL);
  }

  @Test
  void quantity_anyText_isReadOrRefused() {
    Fuzzer.fuzz(
        "quantity",
        new TextMutator("1.5Gi", "-250m", "+1e3", "12E", "3e-6", ".5Ki", "1000000n", "0", "8Ei"),
        text -> {
          Quantity quantity = Quantity.parse(text);
          assertThat(Quantity.parse(quantity.toString())).isEqualTo(quantity);
          Quantity computed = quantity.plus(Quantity.ZERO);
          assertThat(Quantity.parse(computed.toString())).isEqualTo(quantity);
          assertThat(computed.toString())
              .isEqualTo(Quantity.parse(computed.toString()).plus(Quantity.ZERO).toString());
          quantity.milliValue();
        },
        ILLEGAL);
  }

  @Test
  void time_anyText_isReadOrRefused() {
    Fuzzer.fuzz(
        "time",
        new TextMutator(
            "2006-01-02T15:04:05Z", "2006-01-02T15:04:05.123456789+05:30", "0001-01-01T00:00:00Z"),
        text -> {
          Time time = Time.parse(text);
          assertThat(Time.parse(time.toString())).isEqualTo(time);
          assertThat(Time.parse(Time.of(time.instant()).toString()).instant().getEpochSecond())
              .isEqualTo(time.instant().getEpochSecond());
        },
        ILLEGAL);
  }

  @Test
  void microTime_anyText_isReadOrRefused() {
    Fuzzer.fuzz(
        "micro time",
        new TextMutator("2006-01-02T15:04:05.000001Z", "9999-12-31T23:59:59.999999-11:00"),
        text -> {
          MicroTime time = MicroTime.parse(text);
          assertThat(MicroTime.parse(time.toString())).isEqualTo(time);
        },
        ILLEGAL);
  }

  @Test
  void intOrString_anyText_isOneOfThem() {
    Fuzzer.fuzz(
        "int or string",
        new TextMutator("80", "-2147483648", "http", "25%", "+7"),
        text -> {
          IntOrString value = IntOrString.parse(text);
          byte[] json = JsonWriter.toBytes(IntOrString.CODEC, value);
          if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            assertThat(JsonReader.fromBytes(IntOrString.CODEC, json)).isEqualTo(value);
          }
          value.scaled(200, true);
        },
        ILLEGAL);
  }

  @Test
  void jsonPath_anyTemplate_printsOrIsRefused() {
    Object tree =
        TreeMutator.parse(
            "{'kind':'List','items':[{'metadata':{'name':'a','labels':{'x.y/z':'1'}},'n':[1,2,3]},"
                + "{'metadata':{'name':'b'},'n':[4.5,null,true]}],'users':{'u':{'id':7}}}");
    Fuzzer.fuzz(
        "JSONPath",
        new TextMutator(
            "{range .items[*]}{.metadata.name}{\"\\t\"}{.n[0:2:1]}{'\\n'}{end}",
            "{.items[?(@.metadata.name==\"a\")].n[-1]}",
            "{$..name} {.users['u','x'].id} {@}",
            "{.items[0].metadata.labels.x\\.y/z}",
            "{['items'][?(@.n[0]>=4)]}",
            ".items[*].metadata.name"),
        template -> {
          JsonPath path = JsonPath.parse(template);
          path.allowMissingKeys().find(tree);
          path.print(tree);
          JsonPath.column(template).print(tree);
        },
        Set.of(JsonPathException.class));
  }

  @Test
  void jsonPointer_anyText_isReadOrRefused() {
    Object tree = TreeMutator.parse("{'a':[{'b':1},2],'':{'~/':null}}");
    Fuzzer.fuzz(
        "JSON pointer",
        new TextMutator("/a/0/b", "//~0~1", "/a/-", "", "/a/1"),
        text -> {
          JsonPointer pointer = JsonPointer.parse(text);
          assertThat(pointer).hasToString(text);
          pointer.get(tree);
          pointer.isIn(tree);
        },
        Set.of(PatchException.class));
  }

  @Test
  void schemaForms_anyText_areReadOrRefused() {
    Fuzzer.fuzz(
        "group, version, kind and resource",
        new TextMutator("apps/v1", "v1", "deployments.v1.apps", "Ingress.networking.k8s.io", "/v1"),
        text -> {
          GroupKind kind = GroupKind.parse(text);
          assertThat(GroupKind.parse(kind.toString())).isEqualTo(kind);
          GroupResource resource = GroupResource.parse(text);
          assertThat(GroupResource.parse(resource.toString())).isEqualTo(resource);
          GroupVersionKind.parseKindArg(text);
          GroupVersionResource.parseResourceArg(text);
          GroupVersion version = GroupVersion.parse(text);
          assertThat(GroupVersion.parse(version.toString())).isEqualTo(version);
          GroupVersionKind full = GroupVersionKind.fromApiVersionAndKind(text, "K");
          assertThat(GroupVersionKind.fromApiVersionAndKind(full.apiVersion(), "K"))
              .isEqualTo(full);
          if (ResourceVersion.isComparable(text)) {
            assertThat(ResourceVersion.compare(text, text)).isZero();
          }
        },
        ILLEGAL);
  }
}
