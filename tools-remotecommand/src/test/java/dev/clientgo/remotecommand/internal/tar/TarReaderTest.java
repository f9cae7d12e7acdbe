package dev.clientgo.remotecommand.internal.tar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives of the {@code tar} of this machine, archives of ours, and bytes that are none. */
final class TarReaderTest {

  private static final Instant TIME = Instant.ofEpochSecond(1_000_000_000);

  private static Map<String, TarEntry> read(byte[] archive) throws IOException {
    return read(new TarReader(new ByteArrayInputStream(archive)), new TreeMap<>());
  }

  /** Returns the entries by their names, and puts the data of the files into a map. */
  private static Map<String, TarEntry> read(TarReader reader, Map<String, byte[]> data)
      throws IOException {
    Map<String, TarEntry> entries = new LinkedHashMap<>();
    byte[] buffer = new byte[1000];
    for (TarEntry next = reader.next(); next != null; next = reader.next()) {
      entries.put(next.name(), next);
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      for (int count = reader.read(buffer); count >= 0; count = reader.read(buffer)) {
        content.write(buffer, 0, count);
      }
      data.put(next.name(), content.toByteArray());
    }
    return entries;
  }

  private static byte[] run(Path directory, byte[] input, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().write(input);
    process.getOutputStream().close();
    byte[] output = process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).isZero();
    return output;
  }

  private static String longName(int length) {
    return "ä" + "n".repeat(length - 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gnu", "oldgnu", "pax", "ustar", "v7"})
  void next_readsEachFormOfGnuTar(String format, @TempDir Path directory) throws Exception {
    boolean hasLongNames = !format.equals("ustar") && !format.equals("v7");
    String name = hasLongNames ? longName(150) : "short";
    String link = hasLongNames ? longName(140) : "x";
    Path folder =
        Files.createDirectories(directory.resolve("d/" + "e".repeat(hasLongNames ? 90 : 9)));
    byte[] content = new byte[1300];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve(name), content);
    Files.setLastModifiedTime(file, FileTime.from(TIME));
    Files.createLink(folder.resolve("second"), file);
    Files.createSymbolicLink(folder.resolve("link"), Path.of(link));

    byte[] archive =
        run(directory, new byte[0], "tar", "--format=" + format, "--sort=name", "-cf", "-", "./d");

    Map<String, byte[]> data = new TreeMap<>();
    Map<String, TarEntry> entries = read(new TarReader(new ByteArrayInputStream(archive)), data);
    String in = "./d/" + folder.getFileName() + "/";
    String first = name.compareTo("second") < 0 ? name : "second";
    String other = first.equals(name) ? "second" : name;
    assertThat(entries.keySet()).contains("./d/", in, in + name, in + "second", in + "link");
    assertThat(entries.get("./d/").type()).isEqualTo(TarEntry.Type.DIRECTORY);
    assertThat(entries.get(in + first).type()).isEqualTo(TarEntry.Type.FILE);
    assertThat(entries.get(in + first).modified()).isEqualTo(TIME);
    assertThat(data.get(in + first)).isEqualTo(content);
    assertThat(entries.get(in + other).type()).isEqualTo(TarEntry.Type.HARD_LINK);
    assertThat(entries.get(in + other).link()).isEqualTo(in + first);
    assertThat(entries.get(in + "link").link()).isEqualTo(link);
  }

  @Test
  void write_isReadByGnuTar(@TempDir Path directory) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TarWriter writer = new TarWriter(out);
    writer.begin(TarEntry.directory("d", 0750, TIME));
    for (int length : new int[] {99, 100, 101, 250}) {
      writer.begin(TarEntry.file("d/" + longName(length - 2), 0640, 5, TIME));
      writer.write("hello".getBytes(UTF_8), 0, 5);
    }
    writer.begin(TarEntry.symbolicLink("d/link", longName(101), TIME));
    writer.finish();

    run(directory, out.toByteArray(), "tar", "xpf", "-");

    for (int length : new int[] {99, 100, 101, 250}) {
      Path file = directory.resolve("d/" + longName(length - 2));
      assertThat(file).hasContent("hello");
      assertThat(Files.getLastModifiedTime(file).toInstant()).isEqualTo(TIME);
      assertThat(Files.getPosixFilePermissions(file)).hasSize(3);
    }
    assertThat(Files.readSymbolicLink(directory.resolve("d/link"))).hasToString(longName(101));
    assertThat(read(out.toByteArray())).hasSize(6);
  }

  @Test
  void size_ofMoreThanEightGibibytes_isReadAndWritten() throws IOException {
    long size = 100L << 30;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new TarWriter(out).begin(TarEntry.file("f", 0644, size, TIME));
    byte[] pax =
        new TestArchive()
            .entry('x', "p", ("21 size=" + size + "\n").getBytes(UTF_8))
            .file("f", "")
            .openBytes();

    assertThat(next(out.toByteArray()).size()).isEqualTo(size);
    assertThat(next(pax).size()).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({
    "15 mtime=100.5\\n,1970-01-01T00:01:40.500Z",
    "14 mtime=-1.5\\n,1969-12-31T23:59:58.500Z",
    "12 mtime=7.\\n,1970-01-01T00:00:07Z",
    "30 mtime=1234567890.123456789\\n,2009-02-13T23:31:30.123456789Z"
  })
  void modified_ofPax_hasFractions(String record, Instant time) throws IOException {
    assertThat(next(pax(record.replace("\\n", "\n"))).modified()).isEqualTo(time);
  }

  private static TarEntry next(byte[] archive) throws IOException {
    return requireNonNull(new TarReader(new ByteArrayInputStream(archive)).next());
  }

  @Test
  void name_thatIsNotUtf8_isMarked() throws IOException {
    byte[] latin = "f\u00e4".getBytes(ISO_8859_1);
    byte[] header = TarHeader.format(latin, '0', 0644, 0, 0, new byte[0]);

    assertThat(next(header).isText()).isFalse();
    assertThat(next(new TestArchive().file("fä", "").bytes()).isText()).isTrue();
  }

  static Stream<Arguments> badArchives() {
    return Stream.of(
        argumentSet("no archive", "hello, world\n".repeat(100).getBytes(UTF_8)),
        argumentSet("negative size", new TestArchive().entry('0', "f", "", -1).bytes()),
        argumentSet("endless name", new TestArchive().entry('L', "f", "", 1L << 40).bytes()),
        argumentSet("endless record", new TestArchive().entry('x', "f", "", 1L << 40).bytes()),
        argumentSet("sparse file of GNU", new TestArchive().entry('S', "f", "", 0).bytes()),
        argumentSet("volume", new TestArchive().entry('M', "f", "", 0).bytes()),
        argumentSet("bad record", pax("7 path=\n")),
        argumentSet("record without a length", pax("path=x\n")),
        argumentSet("record that is too long", pax("99 path=x\n")),
        argumentSet("record of no length", pax("0 path=x\n")),
        argumentSet("record without a value", pax("7 path\n")),
        argumentSet("record without an end", pax("9 path=xy")),
        argumentSet("huge length", pax("99999999999999999999 path=x\n")),
        argumentSet("size that is no number", pax("9 size=x\n")),
        argumentSet("size with an exponent", pax("15 size=1e9999\n")),
        argumentSet("negative size of pax", pax("11 size=-1\n")),
        argumentSet("huge size of pax", pax("28 size=9999999999999999999\n")),
        argumentSet("huge time", pax("29 mtime=9999999999999999999\n")),
        argumentSet("sparse file of pax", pax("22 GNU.sparse.major=1\n")),
        argumentSet(
            "a name for all",
            new TestArchive().entry('g', "p", "10 path=x\n".getBytes(UTF_8)).bytes()),
        argumentSet("only extensions", extensions(17)));
  }

  private static byte[] pax(String records) {
    return new TestArchive().entry('x', "p", records.getBytes(UTF_8)).file("f", "x").bytes();
  }

  private static byte[] extensions(int count) {
    TestArchive archive = new TestArchive();
    for (int i = 0; i < count; i++) {
      archive.entry('x', "p", "10 path=x\n".getBytes(UTF_8));
    }
    return archive.file("f", "x").bytes();
  }

  @ParameterizedTest
  @MethodSource("badArchives")
  void next_ofABadArchive_throws(byte[] archive) {
    assertThatThrownBy(() -> read(archive)).isInstanceOf(TarFormatException.class);
  }

  @Test
  void next_ofAnArchiveThatBreaksOff_throwsAtEachByte() throws IOException {
    byte[] archive =
        new TestArchive()
            .entry('L', "l", ("n".repeat(200) + "\0").getBytes(UTF_8))
            .file("f", "x".repeat(700))
            .openBytes();

    for (int length = 1; length < archive.length; length++) {
      byte[] part = Arrays.copyOf(archive, length);
      assertThatThrownBy(() -> read(part))
          .describedAs("length %d", length)
          .isInstanceOf(EOFException.class);
    }
    assertThat(read(archive)).hasSize(1);
    assertThat(read(new byte[0])).isEmpty();
  }

  @Test
  void reader_thatBeginsLater_continues() throws IOException {
    byte[] archive =
        new TestArchive()
            .file("a", "first")
            .entry('L', "l", ("n".repeat(200) + "\0").getBytes(UTF_8))
            .file("b", "0123456789")
            .file("c", "last")
            .bytes();
    TarReader first = new TarReader(new ByteArrayInputStream(archive));
    first.next();
    TarEntry broken = first.next();
    first.read(new byte[4]);

    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    int header = (int) first.entryOffset();
    int data = (int) first.dataOffset();
    rest.write(archive, header, data - header);
    rest.write(archive, data + 4, archive.length - data - 4);
    TarReader second =
        new TarReader(new ByteArrayInputStream(rest.toByteArray()), first.entryOffset());

    assertThat(second.next()).isEqualTo(broken);
    assertThat(second.entryOffset()).isEqualTo(header);
    assertThat(second.dataOffset()).isEqualTo(data);
    second.omit(4);
    byte[] buffer = new byte[100];
    assertThat(second.read(buffer)).isEqualTo(6);
    assertThat(new String(buffer, 0, 6, UTF_8)).isEqualTo("456789");
    assertThat(next(second).name()).isEqualTo("c");
    assertThat(second.next()).isNull();
  }

  private static TarEntry next(TarReader reader) throws IOException {
    return requireNonNull(reader.next());
  }

  /** Random changes of valid archives: each is read, or is an {@link IOException}. */
  @Test
  void fuzzedArchives_areReadOrRefused() {
    long seed = Long.getLong("clientgo.fuzz.seed", 20261124L);
    int runs = Integer.getInteger("clientgo.fuzz.archives", 20_000);
    Random random = new Random(seed);
    byte[][] valid = {
      pax("30 mtime=1234567890.123456789\n"),
      new TestArchive()
          .directory("d")
          .entry('L', "l", ("n".repeat(200) + "\0").getBytes(UTF_8))
          .file("f", "x".repeat(600))
          .link("s", "f")
          .entry('1', "h", "f", 0)
          .bytes()
    };
    int read = 0;
    for (int i = 0; i < runs; i++) {
      byte[] archive = valid[random.nextInt(valid.length)].clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        archive[random.nextInt(archive.length)] = (byte) random.nextInt(256);
      }
      if (random.nextBoolean()) {
        fixChecksums(archive);
      }
      int length = random.nextInt(8) == 0 ? random.nextInt(archive.length) : archive.length;
      try {
        read(Arrays.copyOf(archive, length));
        read++;
      } catch (IOException e) {
        // Refused.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", run " + i, e);
      }
    }
    assertThat(read).describedAs("seed %d", seed).isBetween(runs / 20, runs - runs / 20);
  }

  /** Makes the reader look beyond the checksum. */
  private static void fixChecksums(byte[] archive) {
    for (int start = 0; start + 512 <= archive.length; start += 512) {
      if (archive[start + 257] == 'u') {
        Arrays.fill(archive, start + 148, start + 156, (byte) ' ');
        int sum = 0;
        for (int i = start; i < start + 512; i++) {
          sum += archive[i] & 0xff;
        }
        byte[] text = "%06o\0 ".formatted(sum).getBytes(UTF_8);
        System.arraycopy(text, 0, archive, start + 148, text.length);
      }
    }
  }

  @Test
  void data_isNeverHeldInMemory() throws IOException {
    long size = 3L << 30;
    InputStream endless =
        new InputStream() {
          private final byte[] header = new TestArchive().entry('0', "f", "", size).openBytes();
          private long position;

          @Override
          public int read() {
            return position < header.length ? header[(int) position++] & 0xff : 0;
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            int count = position < header.length ? 1 : length;
            for (int i = 0; i < count; i++) {
              bytes[offset + i] = position < header.length ? header[(int) position++] : 0;
            }
            return count;
          }

          @Override
          public long skip(long count) {
            return count;
          }
        };

    TarReader reader = new TarReader(endless);
    assertThat(next(reader).size()).isEqualTo(size);
    assertThat(reader.next()).isNull();
  }
}
