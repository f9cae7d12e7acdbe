package dev.clientgo.apimachinery.json.internal.cbor;

import static dev.clientgo.apimachinery.json.internal.cbor.CborScanner.ARRAY;
import static dev.clientgo.apimachinery.json.internal.cbor.CborScanner.BYTES;
import static dev.clientgo.apimachinery.json.internal.cbor.CborScanner.MAP;
import static dev.clientgo.apimachinery.json.internal.cbor.CborScanner.TAG;
import static dev.clientgo.apimachinery.json.internal.cbor.CborScanner.TEXT;
import static dev.clientgo.apimachinery.json.internal.cbor.CborScanner.UNTIL_BREAK;

import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import dev.clientgo.apimachinery.json.internal.utf8.ReaderErrors;
import java.util.Arrays;

/**
 * Skips data items by their heads alone, without recursion.
 *
 * <p>It does not check names, strings or numbers, so it skips items that cannot be read. If the
 * object that a caller keeps in memory becomes too large on the way, the skipper throws, and {@link
 * #resume} continues from there.
 */
public final class CborSkipper {

  /** The deepest nesting that is skipped, as upstream; deeper items are malformed. */
  private static final int MAX_DEPTH = 10_000;

  private final ByteWindow in;
  private final CborScanner scanner;
  private final ReaderErrors errors;

  /** By depth: the number of items that are left to skip. The first place is not used. */
  private long[] left = new long[16];

  private int depth;

  /** The number of bytes that are left of a string. */
  private long bytes;

  public CborSkipper(ByteWindow in, CborScanner scanner, ReaderErrors errors) {
    this.in = in;
    this.scanner = scanner;
    this.errors = errors;
  }

  /** Skips a number of items, or all up to a break. */
  public void skip(long items) {
    push(items);
    resume();
  }

  /** Returns whether the skipper has stopped within an item. */
  public boolean isWithin() {
    return depth > 0;
  }

  /** Skips the rest after an error. */
  public void resume() {
    while (depth > 0) {
      skipBytes();
      if (left[depth] == 0) {
        depth--;
        continue;
      }
      scanner.head(0);
      if (scanner.isBreak()) {
        if (left[depth] != UNTIL_BREAK) {
          throw errors.malformed("expected a value, found a break", in.position);
        }
        depth--;
        in.position++;
      } else {
        enter();
      }
    }
  }

  private void enter() {
    boolean tag = scanner.type() == TAG;
    long inner = inner();
    if (isString() && inner == 0 && scanner.argument() < 0) {
      throw errors.malformed("string of more bytes than a stream can have", in.position);
    }
    if (!tag && left[depth] != UNTIL_BREAK) {
      left[depth]--;
    }
    in.position += scanner.size();
    if (inner != 0) {
      push(inner);
    } else if (isString()) {
      bytes = scanner.argument();
    }
  }

  /** Returns the number of items in the item whose head was read last. */
  private long inner() {
    if (isString()) {
      return scanner.isIndefinite() ? UNTIL_BREAK : 0;
    }
    return scanner.type() == ARRAY || scanner.type() == MAP ? scanner.count() : 0;
  }

  private boolean isString() {
    return scanner.type() == BYTES || scanner.type() == TEXT;
  }

  private void push(long items) {
    if (depth == MAX_DEPTH) {
      throw errors.malformed("nesting of more than " + MAX_DEPTH + " levels", in.position);
    }
    depth++;
    if (depth == left.length) {
      left = Arrays.copyOf(left, depth * 2);
    }
    left[depth] = items;
  }

  private void skipBytes() {
    while (bytes > 0) {
      int here = (int) Math.min(bytes, in.end - in.position);
      in.position += here;
      bytes -= here;
      if (bytes > 0) {
        scanner.load(1);
      }
    }
  }
}
