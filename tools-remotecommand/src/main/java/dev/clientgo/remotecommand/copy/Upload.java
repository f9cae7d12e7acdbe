package dev.clientgo.remotecommand.copy;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.remotecommand.internal.tar.TarEntry;
import dev.clientgo.remotecommand.internal.tar.TarWriter;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One copy into a container, in portions: each is one archive for {@code tar}, and is sent again
 * after a cut. If the copy must survive cuts, a large file is sent in separate portions, with
 * {@code dd}, which writes each at its place. For one thread.
 *
 * <p>Directories come first with all rights of the owner, so that files can be created in them, and
 * last with their permissions and times.
 */
final class Upload {

  private static final int BUFFER = 64 * 1024;

  /** The unit in which {@code dd} counts. */
  private static final int MEBIBYTE = 1 << 20;

  /** The most bytes of a portion that may have to be sent again. */
  private static final long PORTION = 32L * MEBIBYTE;

  /** The most entries of a portion, which are held in memory. */
  private static final int PORTION_ENTRIES = 10_000;

  private static final int OWNER_RIGHTS = 0700;

  /** The latest time that {@code touch -t} can write. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  /** Makes a folder that only its owner may enter. Succeeds if it is there. */
  private static final String MAKE_FOLDER =
      """
      [ -d "$1" ] || mkdir -m 700 "$1"
      """;

  /**
   * Gives a file its permissions, time and name. Arguments: the file, its name, permissions or
   * nothing, the time, the size, the folder that it leaves. Succeeds if it has been done.
   */
  private static final String FINISH =
      """
      if [ -d "$2" ]; then echo "$2 is a directory" >&2; exit 1; fi
      if [ ! -e "$1" ] && [ $(wc -c < "$2") -eq "$5" ]; then rm -rf "$6"; exit 0; fi
      if [ $(wc -c < "$1") -ne "$5" ]; then echo "$1 is not complete" >&2; exit 1; fi
      if [ -n "$3" ]; then
        chmod "$3" "$1" && TZ=UTC0 touch -t "$4" "$1" || exit
      fi
      mv -f "$1" "$2" && rm -rf "$6"
      """;

  private static final DateTimeFormatter TOUCH_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss").withZone(ZoneOffset.UTC);

  private static final Duration TEST_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration REMOVE_TIMEOUT = Duration.ofSeconds(5);

  private record Piece(Path path, TarEntry entry) {}

  /** Sends the input of a program. */
  private interface Sender {
    void send(OutputStream out) throws IOException;
  }

  private final CopySettings copy;
  private final Path source;
  private final String destination;
  private final Progress progress;
  private final Retries retries;
  private final byte[] buffer = new byte[BUFFER];
  private final List<Piece> directories = new ArrayList<>();
  private final List<Piece> portion = new ArrayList<>();
  private String directory = "";
  private long portionBytes;

  /** How many portions have arrived. */
  private int arrived;

  Upload(CopySettings copy, Path source, String destination) {
    this.copy = copy;
    this.source = requireNonNull(source, "source");
    this.destination = requireNonNull(destination, "destination");
    this.progress = copy.progress();
    this.retries = copy.retries();
  }

  CopyResult run() throws IOException, InterruptedException {
    SourceTree tree = new SourceTree(source, copy.links, progress, this::add);
    tree.visit(entryName());
    flush();
    if (copy.keepsAttributes) {
      Collections.reverse(directories); // Children first: they change the times of their parents.
      for (Piece last : directories) {
        addToPortion(last);
      }
      flush();
    }
    return progress.result(retries.count());
  }

  /** Finds out where the copy goes, and returns its name there. */
  private String entryName() throws IOException, InterruptedException {
    RemotePath target = RemotePath.of(destination);
    Path last = source.getFileName();
    String name = last == null ? "." : last.toString();
    if (name.equals(".") || name.equals("..") || name.isEmpty()) {
      directory = target.toString();
      return "";
    }
    if (!Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
      throw new NoSuchFileException(source.toString());
    }
    if (destination.endsWith("/") || target.name().isEmpty() || test("-d", target)) {
      directory = target.toString();
      return name;
    }
    if (isDirectory(source) && test("-e", target)) {
      throw new CopyException(
          copy
              + ": cannot copy the directory "
              + source
              + " to "
              + target
              + ", which is a file; remove it, or choose another name",
          null);
    }
    directory = target.directory();
    return target.name();
  }

  private boolean isDirectory(Path path) {
    return copy.links == SymbolicLinks.FOLLOW
        ? Files.isDirectory(path)
        : Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** As {@code kubectl cp}, with the program {@code test}, which may be missing. */
  private boolean test(String what, RemotePath target) throws InterruptedException {
    while (true) {
      try {
        return copy.command("test", what, target.toString())
                .withTimeout(TEST_TIMEOUT)
                .run()
                .exitCode()
            == 0;
      } catch (KubernetesException e) {
        if (RemoteTool.isMissing(e)) {
          return false;
        }
        retries.await(e, arrived);
      }
    }
  }

  private void add(Path path, TarEntry entry) throws IOException, InterruptedException {
    Piece piece = new Piece(path, entry);
    if (entry.type() == TarEntry.Type.DIRECTORY) {
      directories.add(piece);
      addToPortion(
          new Piece(
              path,
              TarEntry.directory(entry.name(), entry.mode() | OWNER_RIGHTS, entry.modified())));
    } else if (copy.retries > 0 && entry.size() > PORTION) {
      flush();
      sendLarge(piece);
    } else {
      addToPortion(piece);
    }
  }

  private void addToPortion(Piece piece) throws IOException, InterruptedException {
    portion.add(piece);
    portionBytes += piece.entry().size();
    if (portion.size() == PORTION_ENTRIES || (copy.retries > 0 && portionBytes > PORTION)) {
      flush();
    }
  }

  private void flush() throws IOException, InterruptedException {
    if (portion.isEmpty()) {
      return;
    }
    RemoteCommand tar =
        copy.command("tar", copy.keepsAttributes ? "xpf" : "xmf", "-", "-C", directory);
    send("tar", tar, portionLength(), this::sendPortion);
    portion.clear();
    portionBytes = 0;
  }

  /** Sends a portion as often as it takes. */
  private void send(String name, RemoteCommand command, long length, Sender sender)
      throws IOException, InterruptedException {
    Progress.Mark mark = progress.mark();
    RemoteCommand counted = command.withInputLength(length);
    for (KubernetesException failure = attempt(name, counted, sender);
        failure != null;
        failure = attempt(name, counted, sender)) {
      progress.reset(mark);
      retries.await(failure, arrived);
    }
    arrived++;
  }

  /** Returns why the portion has not arrived; null if it has. */
  private static @Nullable KubernetesException attempt(
      String name, RemoteCommand command, Sender sender) throws IOException, InterruptedException {
    try (RemoteTool tool = RemoteTool.start(name, command)) {
      try {
        tool.output().close(); // Nobody reads what a talkative tool prints.
        OutputStream out = new BufferedOutputStream(tool.input(), BUFFER);
        sender.send(out);
        out.flush();
        tool.endInput();
      } catch (RemoteTool.StreamException | ClosedByInterruptException e) {
        return tool.reasonOf(e);
      }
      tool.awaitSuccess();
      return null;
    } catch (KubernetesException e) {
      return e;
    }
  }

  /** Returns the length of the archive, which is written for that without the data. */
  private long portionLength() throws IOException {
    long data = portion.stream().mapToLong(piece -> piece.entry().size()).sum();
    DataOutputStream headers = new DataOutputStream(OutputStream.nullOutputStream());
    TarWriter archive = new TarWriter(headers);
    for (Piece piece : portion) {
      archive.begin(piece.entry());
      archive.omit();
    }
    archive.finish();
    return data + headers.size();
  }

  private void sendPortion(OutputStream out) throws IOException {
    TarWriter archive = new TarWriter(out);
    for (Piece piece : portion) {
      TarEntry entry = piece.entry();
      archive.begin(entry);
      if (entry.type() == TarEntry.Type.FILE) {
        progress.begin(entry.name(), entry.size());
        try (InputStream in = Files.newInputStream(piece.path())) {
          copy(in, archive::write, entry.size(), piece.path());
        }
        progress.end();
      }
    }
    archive.finish();
  }

  private interface Sink {
    void write(byte[] bytes, int offset, int length) throws IOException;
  }

  private void copy(InputStream in, Sink sink, long size, Path path) throws IOException {
    for (long left = size; left > 0; ) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException(path + " became shorter while it was copied");
      }
      sink.write(buffer, 0, read);
      left -= read;
      progress.add(read);
    }
  }

  /**
   * Sends a large file in portions to a file in a folder of its own, which then gets its name. If
   * the copy fails, the folder goes: a program that starts late finds nowhere to write to.
   */
  private void sendLarge(Piece piece) throws IOException, InterruptedException {
    String folder = pathOf(folderName(piece.entry()));
    try {
      // As in a download, others may not read the part before it has the permissions of the file.
      send("mkdir", copy.command("sh", "-c", MAKE_FOLDER, "sh", folder), 0, out -> {});
      sendLarge(piece, folder);
    } catch (IOException | RuntimeException e) {
      remove(folder, e);
      throw e;
    }
  }

  /** Removes what has arrived of a file whose copy has failed, if the container can be reached. */
  private void remove(String folder, Exception failure) throws InterruptedException {
    try {
      copy.command("rm", "-rf", folder).withTimeout(REMOVE_TIMEOUT).run();
    } catch (KubernetesException e) {
      failure.addSuppressed(e);
    }
  }

  private void sendLarge(Piece piece, String folder) throws IOException, InterruptedException {
    TarEntry entry = piece.entry();
    String part = folder + "/part";
    progress.begin(entry.name(), entry.size());
    for (long offset = 0; offset < entry.size(); offset += PORTION) {
      long start = offset;
      long length = Math.min(PORTION, entry.size() - start);
      RemoteCommand dd =
          copy.command(
              "dd", "of=" + part, "bs=" + MEBIBYTE, "seek=" + start / MEBIBYTE, "conv=notrunc");
      send("dd", dd, length, out -> sendPart(piece.path(), start, length, out));
    }
    String mode = copy.keepsAttributes ? Integer.toOctalString(entry.mode()) : "";
    RemoteCommand finish =
        copy.command(
            "sh",
            "-c",
            FINISH,
            "sh",
            part,
            pathOf(entry.name()),
            mode,
            touchTime(entry.modified()),
            Long.toString(entry.size()),
            folder);
    send("sh", finish, 0, out -> {});
    progress.end();
  }

  private void sendPart(Path path, long start, long length, OutputStream out) throws IOException {
    try (SeekableByteChannel file = Files.newByteChannel(path)) {
      file.position(start);
      copy(Channels.newInputStream(file), out::write, length, path);
    }
  }

  /** Returns a path of the container that is no option. */
  private String pathOf(String name) {
    String path = directory.endsWith("/") ? directory + name : directory + "/" + name;
    return path.startsWith("-") ? "./" + path : path;
  }

  /**
   * Returns a name beside that of a file, which no other copy of the file has: if one of two copies
   * removed or renamed their common part, the other would write only the rest of it.
   */
  private static String folderName(TarEntry entry) {
    String parent = entry.name().substring(0, entry.name().lastIndexOf('/') + 1);
    return parent + ".clientgo-copy-" + UUID.randomUUID() + ".part";
  }

  private static String touchTime(Instant time) {
    Instant possible =
        time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LATEST) ? LATEST : time;
    return TOUCH_TIME.format(possible);
  }
}
