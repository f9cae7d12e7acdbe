package dev.clientgo.controller.internal.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Replaces secret values in trees of JSON by keyed hashes: equal values become equal hashes. First
 * {@link #learn} gets all trees, then {@link #redact}.
 *
 * <p>Secret are the values in {@code data} and {@code stringData} of Secrets, and the fields at the
 * given paths of any object. A copy in any other text is replaced, too: of the value, of its lines
 * and what they assign, of the texts in it if it is JSON; of each also as base64, escaped in JSON
 * or in a URL, and as an MD5, SHA-1 or SHA-256 digest, which becomes that of the hash. A value of
 * fewer than {@value #SHORTEST} characters is replaced only where it stands. A copy may go over
 * several lines. Not safe for use by many threads.
 */
final class Redaction {

  static final int SHORTEST = 4;

  private static final int SHORTEST_LINE = 12;

  private static final Pattern ASSIGNED = Pattern.compile("[^:=]+[:=]\\s*[\"']?(.{8,}?)[\"']?");

  private static final Pattern FOLD = Pattern.compile("(\\r?\\n|\\\\n)[ \\t]*");

  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private record Form(String text, String hash) {}

  private final Mac mac;
  private final List<String> paths;

  /** Texts that are known not to be secret, such as names of namespaces. */
  private final Set<String> open = new HashSet<>(Set.of("true", "false", "null"));

  /** The forms of the values, by a hash of their first characters, the longest first. */
  private final Map<Integer, List<Form>> forms = new HashMap<>();

  private final boolean[] starts = new boolean[1 << 16];

  /** The hashes of all values. */
  private final Set<String> known = new HashSet<>();

  private boolean learning;

  Redaction(SecretKey key, Collection<String> paths) {
    this.paths = paths.stream().map(path -> "." + path).toList();
    try {
      mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no HMAC", e);
    }
  }

  /** Says that a text is not secret by itself. */
  void isOpen(String text) {
    open.add(text);
  }

  /**
   * Learns the secret values of a tree.
   *
   * @param ofSecrets whether it comes from or goes to the resource of Secrets
   */
  void learn(@Nullable Object tree, boolean ofSecrets) {
    learning = true;
    fields(tree, "", ofSecrets);
  }

  /** Returns a tree without secrets. */
  @Nullable Object redact(@Nullable Object tree, boolean ofSecrets) {
    learning = false;
    return texts(fields(tree, "", ofSecrets));
  }

  // ---- fields that are secret by their place

  private @Nullable Object fields(@Nullable Object tree, String path, boolean ofSecrets) {
    if (tree instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>();
      list.forEach(each -> all.add(fields(each, path, ofSecrets)));
      return all;
    } else if (!(tree instanceof Map<?, ?> map)) {
      return tree;
    } else {
      String kind = String.valueOf(map.get("kind"));
      boolean secret = ofSecrets || kind.equals("Secret") || kind.equals("SecretList");
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      map.forEach(
          (name, value) -> all.put((String) name, field(map, path, (String) name, value, secret)));
      return all;
    }
  }

  private @Nullable Object field(
      Map<?, ?> map, String parent, String name, @Nullable Object value, boolean secret) {
    // The value of an operation of a JSON patch is at the path of the operation.
    boolean operation = name.equals("value") && map.get("path") instanceof String;
    String path =
        operation
            ? String.valueOf(map.get("path")).replaceAll("/(\\d+|-)(?=/|$)", "").replace('/', '.')
            : parent + "." + name;
    String top = operation && path.length() > 1 ? path.split("\\.", 3)[1] : name;
    if (secret && (top.equals("data") || top.equals("stringData"))) {
      return leaves(value, top.equals("data"));
    } else if (paths.stream().anyMatch(each -> (path + ".").contains(each + "."))) {
      return leaves(value, /* base64= */ false);
    }
    Object applied = name.equals(LAST_APPLIED) ? json(String.valueOf(value)) : null;
    if (applied != null) {
      return RawJson.of(JsonCodecs.TREE, requireNonNull(fields(applied, "", secret))).toString();
    }
    return fields(value, path, secret && !name.equals("metadata"));
  }

  private static @Nullable Object json(String text) {
    try {
      return JsonCodecs.TREE.read(RawJson.of(text).reader());
    } catch (RuntimeException e) {
      return null;
    }
  }

  private @Nullable Object leaves(@Nullable Object value, boolean base64) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      map.forEach((name, each) -> all.put((String) name, leaves(each, base64)));
      return all;
    } else if (value instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>();
      list.forEach(each -> all.add(leaves(each, base64)));
      return all;
    } else if (value == null || value instanceof Boolean) {
      return value;
    }
    byte[] bytes = base64 ? decoded(value.toString()) : null;
    byte[] secret = bytes == null ? value.toString().getBytes(UTF_8) : bytes;
    if (learning) {
      learn(secret);
      return value;
    }
    String hash = hash(secret);
    return bytes == null ? like(value, hash) : encode(hash);
  }

  private static byte @Nullable [] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text.replaceAll("[\r\n]", "")); // As the server does.
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** A number becomes a number of as many digits: fields of objects may need one. */
  private String hash(byte[] secret) {
    byte[] hash = mac.doFinal(secret);
    String text = String.valueOf(text(secret)).strip();
    if (!text.matches("[1-9]\\d{3,17}")) {
      return "redacted-" + HexFormat.of().formatHex(hash, 0, 16);
    }
    String digits = new BigInteger(1, hash).toString().substring(0, text.length() - 1);
    long number = Long.parseLong("1" + digits);
    return Long.toString(text.equals("1" + digits) ? number ^ 1 : number);
  }

  /** Returns a text as a number, if it stands for one. */
  private static Object like(Object value, String text) {
    return !(value instanceof String) && json(text) instanceof Number number ? number : text;
  }

  // ---- their copies in other texts

  private void learn(byte[] secret) {
    String hash = hash(secret);
    String text = text(secret);
    if (!known.add(hash)
        || (text != null && (text.strip().length() < SHORTEST || open.contains(text.strip())))) {
      return;
    }
    for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
      add(encoder.encodeToString(secret), encode(hash));
      add(encoder.withoutPadding().encodeToString(secret), encode(hash));
      for (int before = 0; before <= 2; before++) { // Within a longer text.
        byte[] shifted = ByteBuffer.allocate(before + secret.length).put(before, secret).array();
        int from = before == 0 ? 0 : before + 1;
        int end = shifted.length / 3 * 4;
        if (end - from >= 2 * SHORTEST) {
          add(encoder.withoutPadding().encodeToString(shifted).substring(from, end), hash);
        }
      }
    }
    for (String algorithm : List.of("MD5", "SHA-1", "SHA-256")) {
      byte[] was = digest(algorithm, secret);
      byte[] is = digest(algorithm, hash.getBytes(UTF_8));
      add(HexFormat.of().formatHex(was), HexFormat.of().formatHex(is));
      add(Base64.getEncoder().encodeToString(was), Base64.getEncoder().encodeToString(is));
    }
    if (text != null) {
      String json = RawJson.of(JsonCodecs.STRING, text).toString();
      String url = URLEncoder.encode(text, UTF_8);
      List.of(
              text,
              text.strip(),
              json.substring(1, json.length() - 1),
              ofGo(json.substring(1, json.length() - 1)),
              url,
              url.replace("+", "%20"))
          .forEach(form -> add(form, hash));
      text.lines()
          .map(String::strip)
          .filter(line -> line.length() >= SHORTEST_LINE && !line.equals(text.strip()))
          .forEach(line -> learn(line.getBytes(UTF_8)));
      text.lines() // Of a kubeconfig, a file of properties or variables.
          .map(line -> ASSIGNED.matcher(line.strip()))
          .filter(Matcher::matches)
          .forEach(assigned -> learn(assigned.group(1).getBytes(UTF_8)));
      if (json(text) instanceof Map<?, ?> tree) {
        leaves(tree, /* base64= */ false);
      }
    }
  }

  private static String ofGo(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private static byte[] digest(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // Each JVM has it.
    }
  }

  private static @Nullable String text(byte[] secret) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(secret)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private void add(String form, String hash) {
    if (form.length() >= SHORTEST && !open.contains(form)) {
      starts[start(form, 0)] = true;
      List<Form> same = forms.computeIfAbsent(start(form, 0), start -> new ArrayList<>());
      same.add(new Form(form, hash));
      same.sort(Comparator.comparing((Form each) -> each.text.length()).reversed());
    }
  }

  private static int start(String text, int from) {
    return text.substring(from, from + SHORTEST).hashCode() & 0xffff;
  }

  private @Nullable Object texts(@Nullable Object tree) {
    if (tree instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>();
      list.forEach(each -> all.add(texts(each)));
      return all;
    } else if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      map.forEach((name, value) -> all.put(text((String) name), texts(value)));
      return all;
    } else if (tree == null || tree instanceof Boolean) {
      return tree;
    }
    String text = text(tree.toString()); // A secret of digits may stand somewhere as a number.
    return text.equals(tree.toString()) ? tree : like(tree, text);
  }

  private String text(String text) {
    StringBuilder redacted = new StringBuilder();
    int copied = 0;
    for (int i = 0; i + SHORTEST <= text.length() && !open.contains(text); i++) {
      if (starts[start(text, i)]) {
        for (Form form : forms.getOrDefault(start(text, i), List.of())) {
          int end = end(text, i, form.text);
          if (end >= 0) {
            redacted.append(text, copied, i).append(form.hash);
            copied = end;
            i = copied - 1;
            break;
          }
        }
      }
    }
    return copied == 0 ? text : redacted.append(text, copied, text.length()).toString();
  }

  /** Returns where a form ends, which may go over several lines; -1 if it is not there. */
  private static int end(String text, int from, String form) {
    int at = from;
    for (int i = 0; i < form.length(); i++, at++) {
      if (at < text.length() && text.charAt(at) != form.charAt(i)) {
        Matcher fold = FOLD.matcher(text).region(at, text.length());
        at = fold.lookingAt() ? fold.end() : at;
      }
      if (at >= text.length() || text.charAt(at) != form.charAt(i)) {
        return -1;
      }
    }
    return at;
  }
}
