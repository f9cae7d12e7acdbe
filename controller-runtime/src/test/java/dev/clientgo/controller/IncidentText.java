package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.controller.internal.incident.IncidentFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** All that is in the file of an incident, as text. */
final class IncidentText {

  private IncidentText() {}

  static String of(Path file) throws IOException {
    return of(Files.readAllBytes(file));
  }

  static String of(byte[] file) throws IOException {
    int head = (IncidentFile.MAGIC + IncidentFile.VERSION + "\n").length();
    ByteArrayInputStream in = new ByteArrayInputStream(file, head, file.length - head);
    return new String(new GZIPInputStream(in).readAllBytes(), UTF_8);
  }
}
