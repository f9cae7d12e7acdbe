package dev.clientgo.remotecommand;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Limits the bytes that several outputs hold together. For one thread. */
final class LimitedOutput {

  private int left;

  LimitedOutput(int limit) {
    this.left = limit;
  }

  /** Returns a stream that throws instead of passing more than the limit. */
  OutputStream counting(ByteArrayOutputStream output) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > left) {
          throw new IOException("the output is too long");
        }
        left -= length;
        output.write(bytes, offset, length);
      }
    };
  }
}
