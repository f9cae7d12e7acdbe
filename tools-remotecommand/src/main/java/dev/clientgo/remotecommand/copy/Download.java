package dev.clientgo.remotecommand.copy;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.remotecommand.internal.tar.TarEntry;
import dev.clientgo.remotecommand.internal.tar.TarFormatException;
import dev.clientgo.remotecommand.internal.tar.TarReader;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One copy out of a container: unpacks the archive that {@code tar} writes there.
 *
 * <p>After a cut, {@code tar} runs again. The archive is then read from the header of the entry
 * that broke off. If it is the same header, the rest of the data follows; otherwise the tree has
 * changed, and the copy starts again. For one thread.
 */
final class Download {

  private static final int BUFFER = 64 * 1024;

  /**
   * Writes the header of an entry and the rest of the archive, and exits as {@code tar}. Arguments:
   * the option, the directory, the name, where the header begins, its length, and where the rest
   * begins; the first byte is 1.
   */
  private static final String RESUME =
      """
      t() { tar "$1" - -C "$2" "$3"; }
      t "$@" 2>/dev/null | tail -c "+$4" | head -c "$5"
      exec 4>&1
      code=$({ { t "$@"; echo $? >&3; } | tail -c "+$6" >&4; } 3>&1)
      exit "$code"
      """;

  private final CopySettings copy;
  private final RemotePath source;
  private final Path destination;
  private final Progress progress;
  private final Retries retries;
  private final Progress.Mark start;
  private final byte[] buffer = new byte[BUFFER];
  private @Nullable TargetTree tree;

  /** The name that the only file gets; null if the source is a directory. */
  private @Nullable String fileName;

  /** The entry that was read last; null if there is none. */
  private @Nullable TarEntry entry;

  private long entryOffset;
  private long dataOffset;

  /** How many bytes of the data of the entry were read. */
  private long read;

  /** The file of the entry while it is not complete. */
  private TargetTree.@Nullable NewFile file;

  Download(CopySettings copy, String source, Path destination) {
    this.copy = copy;
    this.source = RemotePath.of(source);
    this.destination = requireNonNull(destination, "destination").toAbsolutePath();
    this.progress = copy.progress();
    this.retries = copy.retries();
    this.start = progress.mark();
  }

  CopyResult run() throws IOException, InterruptedException {
    try {
      while (true) {
        long position = dataOffset + read;
        KubernetesException failure = attempt();
        if (failure == null) {
          return progress.result(retries.count());
        }
        retries.await(failure, Math.max(position, dataOffset + read));
      }
    } finally {
      closeFile();
    }
  }

  private void closeFile() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }

  /** Returns why the copy is not complete; null if it is. */
  private @Nullable KubernetesException attempt() throws IOException, InterruptedException {
    try (RemoteTool tar = RemoteTool.start("tar", command())) {
      try {
        InputStream archive = new BufferedInputStream(tar.output(), BUFFER);
        unpack(new TarReader(archive, entryOffset));
        archive.transferTo(OutputStream.nullOutputStream()); // Unread padding would hold up tar.
      } catch (RemoteTool.StreamException | EOFException | ClosedByInterruptException e) {
        return tar.reasonOf(e);
      } catch (TarFormatException e) {
        throw new CopyException(copy + ": cannot copy " + source + ": " + e.getMessage(), e);
      }
      if (tree != null) {
        tree.finish();
      }
      tar.awaitSuccess();
      if (entry == null) {
        throw new CopyException(copy + ": tar found nothing to copy in " + source, null);
      }
      return null;
    } catch (KubernetesException e) {
      return e;
    }
  }

  private RemoteCommand command() {
    String option = copy.links == SymbolicLinks.FOLLOW ? "chf" : "cf";
    if (entry == null) {
      return copy.command("tar", option, "-", "-C", source.directory(), source.member());
    }
    return copy.command(
        "sh",
        "-c",
        RESUME,
        "sh",
        option,
        source.directory(),
        source.member(),
        Long.toString(entryOffset + 1),
        Long.toString(dataOffset - entryOffset),
        Long.toString(dataOffset + read + 1));
  }

  private void unpack(TarReader archive) throws IOException {
    if (entry != null) {
      resume(entry, archive);
    }
    for (TarEntry next = archive.next(); next != null; next = archive.next()) {
      entry = next;
      entryOffset = archive.entryOffset();
      dataOffset = archive.dataOffset();
      read = 0;
      unpack(next);
      readFile(archive);
    }
  }

  /** Continues with the entry that broke off. */
  private void resume(TarEntry expected, TarReader archive) throws IOException {
    if (!expected.equals(nextOrNull(archive))) {
      closeFile();
      tree = null;
      fileName = null;
      entry = null;
      entryOffset = 0;
      dataOffset = 0;
      read = 0;
      progress.reset(start);
      throw new TransportException(
          Kind.CONNECTION_LOST,
          copy + ": the connection broke, and " + source + " has changed since; it is copied again",
          null);
    }
    archive.omit(read);
    readFile(archive);
  }

  /** Returns null if the archive has no entry there any more. */
  private static @Nullable TarEntry nextOrNull(TarReader archive) throws IOException {
    try {
      return archive.next();
    } catch (TarFormatException | EOFException e) {
      return null;
    }
  }

  private void readFile(TarReader archive) throws IOException {
    TargetTree.NewFile out = file;
    if (out == null) {
      return;
    }
    for (int count = archive.read(buffer); count >= 0; count = archive.read(buffer)) {
      out.write(buffer, count);
      read += count;
      progress.add(count);
    }
    out.complete();
    file = null;
    progress.end();
  }

  private void unpack(TarEntry next) throws IOException {
    if (!next.isText()) {
      progress.skip(next.name(), "the name is not UTF-8");
      return;
    }
    List<String> parts = source.relative(next.name());
    TargetTree target = target(parts, next);
    if (fileName != null) {
      unpackOnly(target, fileName, next);
      return;
    }
    if (parts.isEmpty() && next.type() != TarEntry.Type.DIRECTORY) {
      throw EntryPath.refused(next.name(), "it was a directory before");
    }
    switch (next.type()) {
      case FILE -> begin(target, parts, next);
      case DIRECTORY -> target.directory(parts, next);
      case HARD_LINK -> target.hardLink(parts, source.relative(next.link()), next);
      case SYMBOLIC_LINK -> {
        if (copy.links == SymbolicLinks.SKIP) {
          progress.skip(next.name(), "it is a symbolic link to " + next.link());
        } else {
          target.symbolicLink(parts, next);
        }
      }
      case SPECIAL -> progress.skip(next.name(), "it is a device or a pipe");
    }
  }

  private void begin(TargetTree target, List<String> parts, TarEntry next) throws IOException {
    file = target.file(parts, next);
    progress.begin(String.join("/", parts), next.size());
  }

  /** Returns the tree; the first entry decides where it is. */
  private TargetTree target(List<String> parts, TarEntry next) throws IOException {
    if (tree != null) {
      return tree;
    }
    Path directory = destination;
    if (parts.isEmpty() && next.type() != TarEntry.Type.DIRECTORY) {
      Path path =
          Files.isDirectory(destination)
              ? destination.resolve(EntryPath.element(destination.getFileSystem(), source.name()))
              : destination;
      directory = requireNonNull(path.getParent(), "a file has a parent");
      fileName = requireNonNull(path.getFileName(), "a file has a name").toString();
    }
    tree = new TargetTree(directory, copy.keepsAttributes);
    return tree;
  }

  /** Unpacks the only entry, if the source is not a directory. */
  private void unpackOnly(TargetTree target, String name, TarEntry next) throws IOException {
    if (!source.relative(next.name()).isEmpty()) {
      throw EntryPath.refused(next.name(), source + " is a file, not a directory");
    }
    switch (next.type()) {
      case FILE -> begin(target, List.of(name), next);
      case SYMBOLIC_LINK -> {
        if (copy.links != SymbolicLinks.SKIP) {
          throw EntryPath.leadsOutside(next.name(), next.link());
        }
        progress.skip(next.name(), "it is a symbolic link to " + next.link());
      }
      case SPECIAL -> progress.skip(next.name(), "it is a device or a pipe");
      case DIRECTORY, HARD_LINK ->
          throw EntryPath.refused(next.name(), source + " was a file before");
    }
  }
}
