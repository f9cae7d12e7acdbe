package dev.clientgo.conformance;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The head of an HTTP request. */
record ServerRequest(
    String method, String path, Map<String, String> query, Map<String, String> headers) {

  /** Reads a request; null if the client has closed the connection. */
  static @Nullable ServerRequest read(InputStream in) throws IOException {
    String line = readLine(in);
    if (line == null) {
      return null;
    }
    String[] words = line.split(" ", -1);
    String[] target = words[1].split("\\?", 2);
    Map<String, String> query = new HashMap<>();
    if (target.length > 1) {
      for (String pair : target[1].split("&", -1)) {
        String[] parts = pair.split("=", 2);
        query.put(
            parts[0], URLDecoder.decode(parts.length > 1 ? parts[1] : "", StandardCharsets.UTF_8));
      }
    }
    Map<String, String> headers = new HashMap<>();
    for (String header = readLine(in); header != null && !header.isEmpty(); header = readLine(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    return new ServerRequest(words[0], target[0], query, headers);
  }

  private static @Nullable String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        if (line.length() > 0) {
          throw new EOFException("in the middle of a request");
        }
        return null;
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  boolean has(String parameter) {
    return !query.getOrDefault(parameter, "").isEmpty();
  }

  boolean isTrue(String parameter) {
    String value = query.getOrDefault(parameter, "");
    return value.equals("true") || value.equals("1");
  }

  /** Returns a number; 0 if it is absent. */
  long number(String parameter) {
    return has(parameter) ? Long.parseLong(query.get(parameter)) : 0;
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
