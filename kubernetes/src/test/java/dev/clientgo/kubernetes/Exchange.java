package dev.clientgo.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import okhttp3.Headers;
import okio.ByteString;

/**
 * A request and what a server answered to it, kept in three files: {@code NAME.request} with
 * method, path, headers and, behind an empty line, the body; {@code NAME.headers} with the status
 * and the headers of the answer; {@code NAME.body} with its body as it was received, without the
 * chunks.
 */
record Exchange(String name, Question question, Answer answer) {

  private static final String REQUEST = ".request";

  /** The request. */
  record Question(String method, String target, Headers headers, ByteString body) {}

  /** The response. */
  record Answer(int code, String phrase, Headers headers, ByteString body) {}

  /** Reads an exchange. */
  static Exchange read(Path folder, String name) {
    try {
      return new Exchange(
          name,
          question(bytes(folder, name + REQUEST)),
          answer(bytes(folder, name + ".headers").utf8(), bytes(folder, name + ".body")));
    } catch (IOException e) {
      throw new UncheckedIOException("no whole exchange " + name + " in " + folder, e);
    }
  }

  private static ByteString bytes(Path folder, String name) throws IOException {
    return ByteString.of(Files.readAllBytes(folder.resolve(name)));
  }

  /** Returns the names of the exchanges in a folder. */
  static List<String> names(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(REQUEST))
          .map(file -> file.substring(0, file.length() - REQUEST.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no exchanges in " + folder, e);
    }
  }

  private static Question question(ByteString bytes) {
    int end = bytes.indexOf(ByteString.encodeUtf8("\n\n"));
    String head = (end < 0 ? bytes : bytes.substring(0, end)).utf8();
    ByteString body = end < 0 ? ByteString.EMPTY : bytes.substring(end + 2);
    String[] first = head.lines().findFirst().orElseThrow().split(" ", 2);
    return new Question(first[0], first[1], headers(head), body);
  }

  private static Answer answer(String head, ByteString body) {
    String[] first = head.lines().findFirst().orElseThrow().split(" ", 2);
    return new Answer(Integer.parseInt(first[0]), first[1], headers(head), body);
  }

  private static Headers headers(String head) {
    Headers.Builder headers = new Headers.Builder();
    head.lines().skip(1).filter(line -> !line.isBlank()).forEach(headers::add);
    return headers.build();
  }

  /** Writes it. */
  void write(Path folder) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write((question.method + " " + question.target + "\n").getBytes(UTF_8));
    request.write(lines(question.headers).getBytes(UTF_8));
    if (question.body.size() > 0) {
      request.write('\n');
      question.body.write(request);
    }
    Files.write(folder.resolve(name + REQUEST), request.toByteArray());
    Files.writeString(
        folder.resolve(name + ".headers"),
        answer.code + " " + answer.phrase + "\n" + lines(answer.headers));
    Files.write(folder.resolve(name + ".body"), answer.body.toByteArray());
  }

  private static String lines(Headers headers) {
    StringBuilder lines = new StringBuilder();
    for (Iterator<kotlin.Pair<String, String>> all = headers.iterator(); all.hasNext(); ) {
      kotlin.Pair<String, String> header = all.next();
      lines.append(header.getFirst()).append(": ").append(header.getSecond()).append('\n');
    }
    return lines.toString();
  }
}
