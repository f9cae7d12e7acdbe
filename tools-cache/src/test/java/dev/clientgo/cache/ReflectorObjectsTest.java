package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.ANY;
import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.deleted;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.forbidden;
import static dev.clientgo.cache.ReflectorFixture.listFrom;
import static dev.clientgo.cache.ReflectorFixture.modified;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.undecodable;
import static dev.clientgo.cache.ReflectorFixture.watchFrom;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.cache.ScriptedSource.Step;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that cannot be decoded, transformed or named, or are of an unexpected kind. */
final class ReflectorObjectsTest {

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  @Test
  void undecodableObjects_areReportedAndSkipped() {
    CodecException inList = undecodable("a");
    CodecException inWatch = undecodable("c");
    source
        .list(
            sink -> {
              sink.undecodable(inList);
              sink.accept(pod("b", "1"));
            },
            ListMeta.builder().resourceVersion("1").build())
        .watch(failed(inWatch), added("d", "3"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("b@1", "d@3");
    assertThat(fixture.errors).containsExactly(inList, inWatch);
    assertThat(source.requests()).hasSize(2);
  }

  @Test
  void objectBecomesUndecodable_keepsItsLastState() {
    source
        .list("1", pod("a", "1"), pod("b", "1"))
        .watch(failed(undecodable("a")), failed(expired()))
        .list(
            sink -> {
              sink.undecodable(undecodable("a"));
              sink.accept(pod("b", "3"));
            },
            ListMeta.builder().resourceVersion("3").build())
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("a@1", "b@3");
  }

  @Test
  void streamCannotBeUnderstood_listsAnew() {
    source
        .list("1")
        .watch(failed(CodecException.malformed("unexpected end", "", 99, null)))
        .list("2");

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("1"), listFrom("1"));
  }

  /**
   * The reflector transforms every object once (TestReflectorRespectStoreTransformer, where the
   * store transforms).
   */
  @Test
  void transform_isAppliedOnceToEveryObject() {
    fixture.settings =
        settings -> settings.transform(object -> object.withLabel("seen", label(object) + "x"));
    source
        .list("1", pod("a", "1"))
        .watch(added("b", "2"), modified("a", "3"), deleted("b", "4"), Step.over());

    fixture.run();

    assertThat(fixture.store.list())
        .singleElement()
        .extracting(ReflectorObjectsTest::label)
        .isEqualTo("x");
  }

  private static String label(ApiObject object) {
    return object.metadata().label("seen").orElse("");
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IllegalStateException("cannot transform"),
        new AssertionError("cannot be"),
        new NoClassDefFoundError("optional/Part"),
        new StackOverflowError("too deep"));
  }

  /** One object must not keep all others out of the cache, as a list that always fails would. */
  @ParameterizedTest
  @MethodSource("failures")
  void transformFails_objectKeepsItsLastState(Throwable broken) {
    fixture.settings =
        settings ->
            settings.transform(
                object -> {
                  if (object.metadata().resourceVersion().equals("3")) {
                    throw sneaky(broken);
                  }
                  return object;
                });
    source
        .list("1", pod("a", "1"))
        .watch(modified("a", "3"), failed(expired()))
        .list("4", pod("a", "3"), pod("b", "4"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("a@1", "b@4");
    assertThat(fixture.errors)
        .first()
        .satisfies(
            error ->
                assertThat(error)
                    .hasMessageStartingWith("the transform failed on the object \"a\": ")
                    .hasCause(broken));
    assertThat(source.requests()).endsWith(listFrom("3"), watchFrom("4"));
  }

  private static RuntimeException sneaky(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  @Test
  void transformGivesNull_isReported_andObjectKeepsItsLastState() {
    fixture.settings =
        settings ->
            settings.transform(
                object -> object.metadata().resourceVersion().equals("3") ? null : object);
    source.list("1", pod("a", "1")).watch(modified("a", "3"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("a@1");
    assertThat(fixture.errors)
        .first()
        .satisfies(
            error -> assertThat(error).hasMessageContaining("\"a\"").hasMessageContaining("null"));
  }

  /** A deleted object must leave the store even if its final state cannot be read. */
  @Test
  void deletionWhoseLastStateIsRefused_isADeletion() {
    fixture.settings =
        settings ->
            settings.transform(
                object -> {
                  if (object.metadata().resourceVersion().equals("3")) {
                    throw new IllegalStateException("cannot transform");
                  }
                  return object;
                });
    source
        .list("1", pod("a", "1"), pod("b", "1"), pod("c", "1"))
        .watch(deleted("a", "3"), failed(undecodable("b").inDeleted()), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("c@1");
    assertThat(fixture.errors).hasSize(2);
  }

  @Test
  void unchangedObjects_areNotHeldTwice() {
    ApiObject first = pod("a", "1");
    source
        .list("1", first, pod("b", "1"))
        .watch(failed(expired()))
        .list("5", pod("a", "1"), pod("b", "2"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.store.getByKey("a").get()).isSameAs(first);
    assertThat(fixture.stored()).containsExactly("a@1", "b@2");
  }

  @Test
  void recreatedObjectOfSameVersion_isNotTakenForTheOldOne() {
    ApiObject recreated = pod("a", "1").withUid("another");
    source
        .list("1", pod("a", "1"))
        .watch(failed(expired()))
        .list("5", recreated)
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.store.getByKey("a").get()).isSameAs(recreated);
  }

  /**
   * An object of another kind is reported and skipped (TestReflectorWatchHandler,
   * TestIsUnsupportedTableObject).
   */
  @Test
  void unexpectedKind_isReportedAndSkipped() {
    fixture.settings =
        settings -> settings.expectedKind(GroupVersionKind.fromApiVersionAndKind("v1", "Table"));
    source.list("1", pod("a", "1")).watch(added("b", "2"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).isEmpty();
    assertThat(fixture.errors)
        .hasSize(2)
        .allSatisfy(
            error -> assertThat(error).hasMessageContaining("a Pod of v1 where a Table of v1"));
  }

  @Test
  void objectWithoutName_isReportedAndSkipped() {
    source.list("1", new ApiObject(ObjectMeta.EMPTY), pod("b", "1")).watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("b@1");
    assertThat(fixture.errors).singleElement().isInstanceOf(KeyException.class);
  }

  @Test
  void watchErrorHandlerThrows_reflectorGoesOn() {
    fixture.settings =
        settings ->
            settings.watchErrorHandler(
                (reflector, error) -> {
                  throw new IllegalStateException("a broken handler");
                });
    source.fail(forbidden()).list("1").watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, ANY, watchFrom("1"));
  }
}
