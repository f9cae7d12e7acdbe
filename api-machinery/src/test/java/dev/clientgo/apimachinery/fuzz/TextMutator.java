package dev.clientgo.apimachinery.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes texts of valid ones by moving their tokens about, so that most mistakes are made deep
 * within a grammar and not at its door.
 */
final class TextMutator implements Function<Random, String> {

  private static final Pattern TOKEN = Pattern.compile("[\\p{Alnum}_]+|\\s+|.", Pattern.DOTALL);
  private static final int MAX_LENGTH = 20_000;

  /** Texts that are difficult for parsers of any grammar. */
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "\t",
          "\n",
          "\0",
          "'",
          "\"",
          "\\",
          "\\\\",
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          ",",
          ".",
          ":",
          ";",
          "/",
          "~",
          "%",
          "=",
          "!",
          "<",
          ">",
          "-",
          "+",
          "*",
          "?",
          "@",
          "$",
          "0",
          "00",
          "-0",
          "1e9",
          "1e999999999",
          "2147483648",
          "-9223372036854775809",
          "99999999999999999999",
          "NaN",
          "null",
          "true",
          "é",
          "☸",
          "٤",
          "İ",
          "\uD83D",
          "\uDE00",
          "\uFEFF",
          "\u2028",
          "a".repeat(64),
          "a".repeat(254),
          "9".repeat(1001));

  private final List<String> corpus;
  private final List<String> tokens;

  /** Creates a source of texts like these. */
  TextMutator(String... corpus) {
    this.corpus = List.of(corpus);
    this.tokens =
        Stream.concat(this.corpus.stream().flatMap(TextMutator::tokens), NASTY.stream())
            .distinct()
            .toList();
  }

  private static Stream<String> tokens(String text) {
    return TOKEN.matcher(text).results().map(match -> match.group());
  }

  @Override
  public String apply(Random random) {
    List<String> text = new ArrayList<>(tokens(any(corpus, random)).toList());
    for (int i = random.nextInt(6); i > 0; i--) {
      mutate(text, random);
    }
    String mutated = String.join("", text);
    return mutated.length() > MAX_LENGTH ? mutated.substring(0, MAX_LENGTH) : mutated;
  }

  private void mutate(List<String> text, Random random) {
    int from = random.nextInt(text.size() + 1);
    int to = Math.min(text.size(), from + random.nextInt(4));
    List<String> span = text.subList(from, to);
    switch (random.nextInt(8)) {
      case 0 -> span.clear();
      case 1 -> text.add(from, any(tokens, random));
      case 2 -> {
        span.clear();
        text.add(from, any(tokens, random));
      }
      case 3 -> repeat(text, from, List.copyOf(span), random.nextInt(20) == 0 ? 2000 : 2);
      case 4 -> text.addAll(from, tokens(any(corpus, random)).toList());
      case 5 -> text.subList(from, text.size()).clear();
      case 6 -> {
        List<String> moved = List.copyOf(span);
        span.clear();
        text.addAll(random.nextInt(text.size() + 1), moved);
      }
      default -> garble(text, from, random);
    }
  }

  private static void repeat(List<String> text, int at, List<String> span, int times) {
    for (int i = 0; i < times && text.size() < MAX_LENGTH; i++) {
      text.addAll(at, span);
    }
  }

  /** Changes one character of a token. */
  private static void garble(List<String> text, int at, Random random) {
    if (at == text.size() || text.get(at).isEmpty()) {
      return;
    }
    StringBuilder token = new StringBuilder(text.get(at));
    int bound = random.nextBoolean() ? 0x80 : 0x10000;
    token.setCharAt(random.nextInt(token.length()), (char) random.nextInt(bound));
    text.set(at, token.toString());
  }

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}
