package dev.clientgo.rest.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.util.Random;
import okio.Buffer;
import okio.BufferedSink;
import okio.ByteString;
import okio.ForwardingSource;
import okio.GzipSink;
import okio.Okio;
import okio.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GzipMembersTest {

  private static final ByteString HELLO = gzip(ByteString.encodeUtf8("hello"));

  private static ByteString gzip(ByteString content) {
    Buffer compressed = new Buffer();
    try (BufferedSink gzip = Okio.buffer(new GzipSink(compressed))) {
      gzip.write(content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return compressed.readByteString();
  }

  private static String decompress(ByteString bytes) throws IOException {
    return Okio.buffer(new GzipMembers(new Buffer().write(bytes))).readUtf8();
  }

  @Test
  void members_ofAnySize_inPiecesOfAnySize_areAllThere() throws IOException {
    long seed = Long.getLong("clientgo.seed", 1);
    Random random = new Random(seed);
    for (int run = 0; run < 300; run++) {
      Buffer plain = new Buffer();
      Buffer compressed = new Buffer();
      for (int member = random.nextInt(6); member > 0; member--) {
        byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 3 : 30_000)];
        if (random.nextBoolean()) {
          random.nextBytes(bytes);
        }
        plain.write(bytes);
        compressed.write(gzip(ByteString.of(bytes)));
      }
      Source pieces =
          new ForwardingSource(compressed) {
            @Override
            public long read(Buffer sink, long byteCount) throws IOException {
              return super.read(sink, Math.min(byteCount, 1 + random.nextInt(3_000)));
            }
          };

      assertThat(Okio.buffer(new GzipMembers(pieces)).readByteString())
          .as("seed %d, run %d", seed, run)
          .isEqualTo(plain.readByteString());
    }
  }

  @Test
  void read_doesNotAskForMoreThanTheMember() throws IOException {
    Source one =
        new ForwardingSource(new Buffer().write(HELLO)) {
          @Override
          public long read(Buffer sink, long byteCount) throws IOException {
            long read = super.read(sink, byteCount);
            if (read < 0) {
              throw new AssertionError("it would wait for the next member");
            }
            return read;
          }
        };
    Buffer read = new Buffer();

    new GzipMembers(one).read(read, 8192);

    assertThat(read.readUtf8()).isEqualTo("hello");
  }

  @Test
  void header_withEachField_isSkipped() throws IOException {
    Buffer member = new Buffer();
    member.writeShort(0x1f8b).writeByte(8).writeByte(0b11110).write(new byte[6]);
    member.writeShortLe(3).writeUtf8("abc"); // Extra field.
    member.writeUtf8("name\0comment\0").writeShort(0); // And the checksum of the header.
    member.write(HELLO.substring(10));

    assertThat(decompress(member.readByteString())).isEqualTo("hello");
  }

  @Test
  void end_withinAMember_isAnError() {
    for (int length = 1; length < HELLO.size(); length++) {
      ByteString cut = HELLO.substring(0, length);
      assertThatThrownBy(() -> decompress(cut))
          .as("%d bytes", length)
          .isInstanceOf(EOFException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, bad gzip magic number: 8b instead of 1f8b",
    "2, bad gzip method: 0 instead of 8",
    "-8, bad gzip checksum: ",
    "-4, bad gzip length: 0 instead of 5"
  })
  void damage_isAnErrorThatNamesIt(int index, String message) {
    byte[] bytes = HELLO.toByteArray();
    bytes[index < 0 ? bytes.length + index : index] = 0;

    assertThatThrownBy(() -> decompress(ByteString.of(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void text_afterAMember_isAnError() {
    assertThatThrownBy(() -> decompress(new Buffer().write(HELLO).writeUtf8("{}").readByteString()))
        .hasMessage("bad gzip magic number: 7b7d instead of 1f8b");
  }
}
