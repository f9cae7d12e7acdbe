package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.internal.protobuf.ProtobufFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of the fields of a type, prepared so that a reader finds the index of a name without
 * creating a string. Immutable.
 */
public final class FieldNames {

  private static final int NONE = -1;

  private final List<String> names;
  private final byte[][] bytes;

  /** A hash table by the hash of the name: the index plus one, or 0 where it is free. */
  private final short[] table;

  private final @Nullable ProtobufFields protobuf;

  private FieldNames(List<String> names, @Nullable ProtobufFields protobuf) {
    this.names = names;
    this.protobuf = protobuf;
    this.bytes = new byte[names.size()][];
    this.table = new short[Integer.highestOneBit(Math.max(1, names.size())) * 4];
    for (int i = 0; i < bytes.length; i++) {
      String name = names.get(i);
      bytes[i] = name.getBytes(UTF_8);
      int place = place(name.hashCode());
      while (table[place] != 0) {
        place = next(place);
      }
      table[place] = (short) (i + 1);
    }
  }

  /** Returns the names; each has the index of its argument. */
  public static FieldNames of(String... names) {
    return new FieldNames(List.of(names), null);
  }

  /**
   * Returns these names, with the description of their fields in protobuf.
   *
   * @param fields for each name, separated by spaces: the number of the field in protobuf, or the
   *     numbers on the path to it joined by points, or {@code -} if protobuf has no such field;
   *     then {@code z} if a server omits the zero of the field from JSON; then {@code t}, {@code
   *     u}, {@code q}, {@code i}, {@code b}, {@code r} or {@code s} for a time, a time in
   *     microseconds, a quantity, an int or string, bytes, raw JSON, or a list of strings in its
   *     own message
   */
  public FieldNames protobuf(String fields) {
    return new FieldNames(names, ProtobufFields.parse(fields, names.size()));
  }

  @Nullable ProtobufFields protobuf() {
    return protobuf;
  }

  /** Returns the names, in the order of their indexes. */
  public List<String> names() {
    return names;
  }

  String name(int index) {
    return names.get(index);
  }

  /** Returns the index of a name in ASCII with the hash of its string; -1 if it is not known. */
  int find(byte[] source, int from, int length, int hash) {
    for (int place = place(hash); table[place] != 0; place = next(place)) {
      int index = table[place] - 1;
      if (equal(bytes[index], source, from, length)) {
        return index;
      }
    }
    return NONE;
  }

  /** Names are so short that {@code Arrays.equals} is not faster. */
  private static boolean equal(byte[] name, byte[] source, int from, int length) {
    if (name.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name[i] != source[from + i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the index of a name; -1 if it is not known. */
  int find(String name) {
    for (int place = place(name.hashCode()); table[place] != 0; place = next(place)) {
      int index = table[place] - 1;
      if (names.get(index).equals(name)) {
        return index;
      }
    }
    return NONE;
  }

  private int place(int hash) {
    return (hash ^ (hash >>> 15)) & (table.length - 1);
  }

  private int next(int place) {
    return (place + 1) & (table.length - 1);
  }

  @Override
  public String toString() {
    return names.toString();
  }
}
