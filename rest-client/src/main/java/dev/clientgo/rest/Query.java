package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Query parameters, sorted by name and encoded as Go does it. Not safe for use by many threads. */
final class Query {

  private final Map<String, List<String>> values = new TreeMap<>();

  /** Adds a value; a name may have several. */
  void add(String name, String value) {
    values.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
  }

  /** Replaces the values of a name. */
  void set(String name, String value) {
    values.put(name, new ArrayList<>(List.of(value)));
  }

  void clear() {
    values.clear();
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  Query copy() {
    Query copy = new Query();
    values.forEach((name, all) -> all.forEach(value -> copy.add(name, value)));
    return copy;
  }

  String encode() {
    StringBuilder text = new StringBuilder();
    values.forEach(
        (name, all) -> {
          for (String value : all) {
            text.append(text.isEmpty() ? "" : "&").append(escape(name)).append('=');
            text.append(escape(value));
          }
        });
    return text.toString();
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, UTF_8).replace("*", "%2A").replace("%7E", "~");
  }
}
