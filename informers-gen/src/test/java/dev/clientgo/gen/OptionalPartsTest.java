package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that read absent parts of generated types, compiled with them and run. */
final class OptionalPartsTest {

  private static final Path CRD = Path.of("src/test/resources/optional.yaml");

  private static final String LOOP =
      """
      {
        "schema": "clientgo.dev/schema/v1",
        "source": "test",
        "resources": [
          {"group": "loop.example.com", "version": "v1", "kind": "Loop", "plural": "loops", "singular": "loop",
           "namespaced": true, "type": "com.example.loop.v1.Loop"}
        ],
        "types": {
          "com.example.loop.v1.Loop": {
            "type": "object",
            "properties": {
              "spec": {"$ref": "com.example.loop.v1.Left"},
              "other": {"$ref": "com.example.loop.v1.Right", "default": {}}
            }
          },
          "com.example.loop.v1.Left": {
            "type": "object",
            "required": ["right"],
            "properties": {"right": {"$ref": "com.example.loop.v1.Right"}}
          },
          "com.example.loop.v1.Right": {
            "type": "object",
            "required": ["left"],
            "properties": {
              "left": {"$ref": "com.example.loop.v1.Left"},
              "again": {"$ref": "com.example.loop.v1.Right"}
            }
          }
        }
      }
      """;

  /** Runs a program beside the classes of {@code optional.yaml}; returns what its result is. */
  @SuppressWarnings("unchecked") // The program returns such a list.
  private static List<Object> run(String statements) throws ReflectiveOperationException {
    Generation generation = Generator.builder("com.example.api").input(CRD).build().generate();
    assertThat(generation.report().problems()).isEmpty();
    Map<String, String> files = new TreeMap<>(generation.files());
    files.put(
        "com/example/Program.java",
        """
        package com.example;

        import com.example.api.optional.v1.*;
        import dev.clientgo.apimachinery.json.*;
        import dev.clientgo.apimachinery.meta.*;
        import java.util.*;

        public final class Program {
          private Program() {}

          static String json(Part part) {
            return new String(
                JsonWriter.toBytes(Part.CODEC, part), java.nio.charset.StandardCharsets.UTF_8);
          }

          public static List<Object> run() {
            %s
          }
        }
        """
            .formatted(statements));
    Object result = Compiled.of(files).type("com.example.Program").getMethod("run").invoke(null);
    return (List<Object>) result;
  }

  @Test
  void read_ofRequiredObjects_neverGivesNull() throws Exception {
    assertThat(
            run(
                """
                Part part = Part.builder().build();
                return Arrays.asList(
                    part.metadata().name(),
                    part.spec().required().inner().text(),
                    part.spec().byDefault().text(),
                    part.spec().list().size(),
                    part.spec().map().size(),
                    part.status().phase(),
                    json(part));
                """))
        .containsExactly(
            null,
            null,
            null,
            0,
            0,
            null,
            "{\"apiVersion\":\"optional.example.com/v1\",\"kind\":\"Part\"}");
  }

  @Test
  void read_ofOptionalObjects_givesNullOrAnOptional() throws Exception {
    assertThat(
            run(
                """
                Part.Spec absent = Part.Spec.builder().build();
                Part.Spec present = Part.Spec.of(s -> s.editOptional(o -> o.text("a")));
                return Arrays.asList(
                    absent.optional(),
                    absent.findOptional_().map(Part.Optional::text).orElse("none"),
                    present.findOptional_().map(Part.Optional::text).orElse("none"),
                    absent.selector(),
                    absent.findSelector().isPresent());
                """))
        .containsExactly(null, "none", "a", null, false);
  }

  @Test
  void write_ofAbsentAndEmptyParts_tellsThemApart() throws Exception {
    assertThat(
            run(
                """
                Part.Spec absent = Part.Spec.builder().build();
                Part.Spec empty =
                    Part.Spec.of(
                        s ->
                            s.required(Part.Required.builder().build())
                                .list(List.of())
                                .map(Map.of()));
                Part.Spec copy =
                    new Part.Spec(
                        absent.required(),
                        absent.byDefault(),
                        absent.optional(),
                        absent.findOptional(),
                        absent.selector(),
                        absent.list(),
                        absent.addList(),
                        absent.map(),
                        absent.empty());
                return Arrays.asList(
                    json(Part.of(p -> p.spec(absent))),
                    json(Part.of(p -> p.spec(empty))),
                    json(Part.of(p -> p.spec(Part.Spec.EMPTY))),
                    copy.equals(absent),
                    empty.equals(absent));
                """))
        .map(each -> each instanceof String json ? json.replaceAll("^.*\"Part\",?", "{") : each)
        .containsExactly(
            "{\"spec\":{}}",
            "{\"spec\":{\"required\":{},\"list\":[],\"map\":{}}}",
            "{}",
            true,
            false);
  }

  @Test
  void builder_addsToListsAndPutsIntoMaps() throws Exception {
    assertThat(
            run(
                """
                Part.Spec spec =
                    Part.Spec.of(
                        s ->
                            s.addList("a text")
                                .addList_(e -> e.name("a"))
                                .addList_(e -> e.name("b").value("c"))
                                .putMap("disk", m -> m.size(3).unit("Gi")));
                return Arrays.asList(json(Part.of(p -> p.spec(spec))));
                """))
        .first()
        .asString()
        .endsWith(
            "\"spec\":{\"list\":[{\"name\":\"a\"},{\"name\":\"b\",\"value\":\"c\"}],\"addList\":\"a"
                + " text\",\"map\":{\"disk\":{\"size\":3,\"unit\":\"Gi\"}}}}");
  }

  /**
   * Two types that require each other. Threads that load both at once must not block each other.
   */
  @Test
  @Timeout(300)
  void empty_ofTypesThatRequireEachOther_isLoadedByTwoThreads() throws Exception {
    Generation generation =
        Generator.builder("com.example.api").text("loop.json", LOOP).build().generate();
    assertThat(generation.report().problems()).isEmpty();
    Compiled compiled = Compiled.of(generation);
    String first = className(generation, "Left");
    String second = className(generation, "Right");
    CyclicBarrier start = new CyclicBarrier(2);
    FutureTask<Class<?>> left = new FutureTask<>(() -> load(compiled, first, start));
    FutureTask<Class<?>> right = new FutureTask<>(() -> load(compiled, second, start));

    new Thread(left).start();
    new Thread(right).start();

    Object empty = left.get(30, TimeUnit.SECONDS).getField("EMPTY").get(null);
    Object inner = empty.getClass().getMethod("right").invoke(empty);
    assertThat(inner).isSameAs(right.get(30, TimeUnit.SECONDS).getField("EMPTY").get(null));
    assertThat(inner.getClass().getMethod("left").invoke(inner)).isSameAs(empty);
  }

  private static Class<?> load(Compiled compiled, String className, CyclicBarrier start)
      throws Exception {
    start.await(30, TimeUnit.SECONDS);
    return compiled.type(className);
  }

  private static String className(Generation generation, String simpleName) {
    String file =
        generation.files().keySet().stream()
            .filter(path -> path.endsWith("/" + simpleName + ".java"))
            .findFirst()
            .orElseThrow();
    return file.replace('/', '.').replaceAll("\\.java$", "");
  }
}
