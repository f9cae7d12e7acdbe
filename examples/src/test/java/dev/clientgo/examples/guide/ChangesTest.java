package dev.clientgo.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.examples.guide.GuidePage.Fence;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The change that a lesson proposes makes its program print what the folded answer says. */
final class ChangesTest {

  @TempDir private Path folder;

  static Stream<GuidePage> lessons() {
    return GuidePage.lessons("en").stream();
  }

  @ParameterizedTest
  @MethodSource("lessons")
  void change_printsTheAnswer(GuidePage lesson) throws Exception {
    Fence change = lesson.marked("change").get(0);
    Fence answer = lesson.marked("answer").get(0);
    String[] arguments = answer.of().split(" ");

    String before = ChangedProgram.runUnchanged(arguments);
    String after =
        new ChangedProgram(Path.of("..").resolve(change.of()), change.parts(), folder)
            .run(arguments);

    assertThat(JavaSource.contains(after.lines().toList(), answer.parts()))
        .as("%s is not among what %s prints with the change:%n%s", answer.parts(), lesson, after)
        .isTrue();
    assertThat(JavaSource.contains(before.lines().toList(), answer.parts()))
        .as("%s is what %s prints without the change, too", answer.parts(), lesson)
        .isFalse();
  }

  /** Both languages have the same blocks, as {@link GuideTest} checks. */
  @ParameterizedTest
  @MethodSource("lessons")
  void lesson_hasOneChange(GuidePage lesson) {
    List<Fence> changes = lesson.marked("change");

    assertThat(changes).hasSize(1);
    assertThat(lesson.marked("answer")).hasSize(1);
    assertThat(changes.get(0).parts())
        .allSatisfy(
            hunk -> {
              assertThat(hunk).anyMatch(line -> line.startsWith("-"));
            });
  }
}
