package dev.clientgo.apimachinery.patch;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in a JSON document, in the form of RFC 6901: {@code
 * /metadata/labels/app.kubernetes.io~1name}.
 *
 * @param tokens the names and indexes on the path from the root, unescaped; none for the root
 */
public record JsonPointer(List<String> tokens) {

  /** The whole document. */
  public static final JsonPointer ROOT = new JsonPointer(List.of());

  public JsonPointer {
    tokens = List.copyOf(tokens);
  }

  /** Returns the pointer for a path of names and indexes. */
  public static JsonPointer of(String... tokens) {
    return new JsonPointer(List.of(tokens));
  }

  /**
   * Parses the textual form.
   *
   * @throws PatchException if the text is neither empty nor begins with a slash, or has a tilde
   *     that is not followed by 0 or 1
   */
  public static JsonPointer parse(String text) {
    requireNonNull(text, "text");
    if (text.isEmpty()) {
      return ROOT;
    }
    if (text.charAt(0) != '/') {
      throw new PatchException("JSON pointer \"" + text + "\" does not begin with a slash");
    }
    List<String> tokens = new ArrayList<>();
    for (int from = 1; from <= text.length(); ) {
      int slash = text.indexOf('/', from);
      int to = slash < 0 ? text.length() : slash;
      tokens.add(unescape(text, from, to));
      from = to + 1;
    }
    return new JsonPointer(tokens);
  }

  private static String unescape(String text, int from, int to) {
    int tilde = text.indexOf('~', from);
    if (tilde < 0 || tilde >= to) {
      return text.substring(from, to);
    }
    StringBuilder token = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c != '~') {
        token.append(c);
        continue;
      }
      char next = i + 1 < to ? text.charAt(++i) : ' ';
      switch (next) {
        case '0' -> token.append('~');
        case '1' -> token.append('/');
        default ->
            throw new PatchException(
                "JSON pointer \"" + text + "\" has a tilde that is not followed by 0 or 1");
      }
    }
    return token.toString();
  }

  /** Returns whether this is the whole document. */
  public boolean isRoot() {
    return tokens.isEmpty();
  }

  /** Returns the last name or index. */
  public String last() {
    if (isRoot()) {
      throw new IllegalStateException("the root has no name");
    }
    return tokens.get(tokens.size() - 1);
  }

  /** Returns the pointer to the parent. */
  public JsonPointer parent() {
    if (isRoot()) {
      throw new IllegalStateException("the root has no parent");
    }
    return new JsonPointer(tokens.subList(0, tokens.size() - 1));
  }

  /** Returns the pointer to a child of that name or index. */
  public JsonPointer child(String token) {
    List<String> longer = new ArrayList<>(tokens);
    longer.add(requireNonNull(token, "token"));
    return new JsonPointer(longer);
  }

  /** Returns whether the other pointer is this one or a descendant. */
  public boolean contains(JsonPointer other) {
    return other.tokens.size() >= tokens.size()
        && other.tokens.subList(0, tokens.size()).equals(tokens);
  }

  /**
   * Returns the value at this pointer in a tree of maps and lists.
   *
   * @return empty if there is no value, or an explicit null; {@link #isIn} distinguishes them
   */
  public Optional<Object> get(@Nullable Object tree) {
    @Nullable Object at = tree;
    for (String token : tokens) {
      if (!has(at, token)) {
        return Optional.empty();
      }
      at = child(at, token);
    }
    return Optional.ofNullable(at);
  }

  /** Returns whether a tree has a value at this pointer, including null. */
  public boolean isIn(@Nullable Object tree) {
    return isRoot() || parent().get(tree).filter(holder -> has(holder, last())).isPresent();
  }

  private static boolean has(@Nullable Object holder, String token) {
    if (holder instanceof Map<?, ?> map) {
      return map.containsKey(token);
    }
    return holder instanceof List<?> list && index(token) >= 0 && index(token) < list.size();
  }

  private static @Nullable Object child(@Nullable Object holder, String token) {
    return holder instanceof Map<?, ?> map
        ? map.get(token)
        : ((List<?>) requireNonNull(holder)).get(index(token));
  }

  /**
   * Parses an index of an array; -1 if the token is not one. Signs and leading zeros are not
   * allowed.
   */
  static int index(String token) {
    if (token.isEmpty() || token.length() > 9 || (token.length() > 1 && token.charAt(0) == '0')) {
      return -1;
    }
    int index = 0;
    for (int i = 0; i < token.length(); i++) {
      int digit = token.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      index = index * 10 + digit;
    }
    return index;
  }

  /** Returns the textual form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String token : tokens) {
      text.append('/').append(token.replace("~", "~0").replace("/", "~1"));
    }
    return text.toString();
  }
}
