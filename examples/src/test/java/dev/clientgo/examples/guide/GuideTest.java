package dev.clientgo.examples.guide;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.examples.guide.GuidePage.Fence;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The form of the guide, and that it does not drift from the code. {@link GuideLessonsTest} runs
 * the examples.
 */
final class GuideTest {

  private static final int MAX_LINES = 250;

  /** Besides the change of a line, whose answer is folded, too. */
  private static final int EXERCISES = 3;

  /** Words in pictures that are no names of the code. */
  private static final Set<String> OTHER_WORDS =
      Set.of("LR", "TB", "API", "HTTP", "CRD", "YAML", "Note");

  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*|\\b\\w+(?=\\(\\))");

  /** The label of an arrow, a box, a message, a participant or a state. */
  private static final Pattern LABEL =
      Pattern.compile(
          "(?<=-- )\\S.*?(?= -->)|(?<=-\\. )\\S.*?(?= \\.->)|(?<=\\[)[^\\[\\]]+(?=\\])"
              + "|(?<=\\w: ).+|(?<=participant \\w{1,9} as ).+|(?<=state \")[^\"]+");

  private static final Pattern HAN = Pattern.compile("\\p{IsHan}");

  private static final Set<String> DECLARED = JavaSource.words();

  static Stream<GuidePage> pages() {
    return Stream.of("en", "zh").flatMap(language -> GuidePage.lessons(language).stream());
  }

  static Stream<GuidePage> english() {
    return GuidePage.lessons("en").stream();
  }

  @Test
  void guide_languages_haveTheSameLessons() {
    assertThat(GuidePage.lessons("zh"))
        .extracting(page -> page.file().getFileName().toString())
        .isEqualTo(
            GuidePage.lessons("en").stream()
                .map(page -> page.file().getFileName().toString())
                .toList());
  }

  @Test
  void guide_index_namesAllLessonsOfBothLanguages() throws Exception {
    String index = Files.readString(GuidePage.GUIDE.resolve("README.md"));

    assertThat(pages().map(page -> "(" + page + ")"))
        .allSatisfy(p -> assertThat(index).contains(p));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_form_isThatOfALesson(GuidePage page) {
    String text = String.join("\n", page.lines());

    assertThat(page.lines()).as("lines of " + page).hasSizeLessThanOrEqualTo(MAX_LINES);
    assertThat(page.in("mermaid")).as("pictures of " + page).isNotEmpty();
    assertThat(text.split("<details>", -1)).as("exercises of " + page).hasSize(EXERCISES + 2);
    assertThat(text).contains("./examples/run ");
    assertThat(page.marked("source")).as("quotes of " + page).isNotEmpty();
    assertThat(page.marked("output")).as("outputs of " + page).isNotEmpty();
  }

  /** Each block is a picture, a command, or is compared with a source or an output. */
  @ParameterizedTest
  @MethodSource("pages")
  void page_blocks_areAllChecked(GuidePage page) {
    assertThat(page.fences())
        .allSatisfy(
            fence -> {
              switch (fence.language()) {
                case "mermaid" -> assertThat(fence.mark()).isEmpty();
                case "sh" ->
                    assertThat(fence.lines()).allMatch(line -> line.startsWith("./examples/run "));
                case "java" -> assertThat(fence.mark()).isEqualTo("source");
                case "text" -> assertThat(fence.mark()).isIn("output", "answer");
                case "diff" -> assertThat(fence.mark()).isEqualTo("change");
                default -> throw new AssertionError("no check for a block in " + fence.language());
              }
            });
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_quotes_areInTheSource(GuidePage page) {
    for (Fence quote : page.marked("source")) {
      String[] of = quote.of().split("#", 2);
      List<List<String>> members = JavaSource.read(of[0]).members(of.length == 1 ? "" : of[1]);

      assertThat(members).as("members of the name in " + quote.of()).isNotEmpty();
      assertThat(members)
          .as(quote.of() + " is not, or no longer, as quoted in " + page + ": " + quote.lines())
          .anyMatch(member -> JavaSource.contains(member, quote.parts()));
    }
  }

  @ParameterizedTest
  @MethodSource("english")
  void pages_inBothLanguages_haveTheSameStructure(GuidePage english) {
    GuidePage chinese = english.inOther("zh");

    assertThat(chinese.fences().stream().map(GuideTest::withoutWords).toList())
        .isEqualTo(english.fences().stream().map(GuideTest::withoutWords).toList());
    assertThat(chinese.headings()).isEqualTo(english.headings());
    assertThat(chinese.links()).isEqualTo(english.links());
  }

  /**
   * Of the labels in a picture, which are in the language of the page, leaves the names of code.
   */
  private static Fence withoutWords(Fence fence) {
    if (!fence.language().equals("mermaid")) {
      return fence;
    }
    List<String> lines =
        fence.lines().stream()
            .map(line -> LABEL.matcher(line).replaceAll(label -> names(label.group())))
            .toList();
    return new Fence(fence.mark(), fence.of(), fence.language(), lines);
  }

  private static String names(String label) {
    return WORD.matcher(label).results().map(MatchResult::group).sorted().toList().toString();
  }

  @Test
  void pictures_ofTheChinesePages_areLabelledInChinese() {
    assertThat(GuidePage.lessons("zh"))
        .allSatisfy(
            page ->
                assertThat(page.in("mermaid"))
                    .allSatisfy(it -> assertThat(it.lines().toString()).containsPattern(HAN)));
  }

  @ParameterizedTest
  @MethodSource("english")
  void picture_names_areInTheCode(GuidePage page) {
    String picture =
        page.in("mermaid").stream().flatMap(it -> it.lines().stream()).collect(joining("\n"));
    Matcher words = WORD.matcher(picture);
    while (words.find()) {
      String word = words.group();
      boolean isMethod = picture.startsWith("()", words.end());
      boolean isConstant = word.equals(word.toUpperCase(Locale.ROOT));
      if (!OTHER_WORDS.contains(word)) {
        assertThat(DECLARED.contains(isMethod ? word + "(" : isConstant ? word : "class " + word))
            .as(word + " in the picture of " + page + " is in the code")
            .isTrue();
      }
    }
  }
}
