package dev.clientgo.rest.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Query parameters, sorted by name and encoded as in Go. Not safe for use by many threads. */
public final class Query {

  private final Map<String, List<String>> values = new TreeMap<>();

  /** Adds a value; a name can have several. */
  public void add(String name, String value) {
    values.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
  }

  /** Replaces the values of a name. */
  public void set(String name, String value) {
    values.put(name, new ArrayList<>(List.of(value)));
  }

  public void clear() {
    values.clear();
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public Query copy() {
    Query copy = new Query();
    for (Map.Entry<String, List<String>> entry : values.entrySet()) {
      copy.values.put(entry.getKey(), new ArrayList<>(entry.getValue()));
    }
    return copy;
  }

  public String encode() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, List<String>> entry : values.entrySet()) {
      for (String value : entry.getValue()) {
        text.append(text.isEmpty() ? "" : "&").append(escape(entry.getKey())).append('=');
        text.append(escape(value));
      }
    }
    return text.toString();
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, UTF_8).replace("*", "%2A").replace("%7E", "~");
  }
}
