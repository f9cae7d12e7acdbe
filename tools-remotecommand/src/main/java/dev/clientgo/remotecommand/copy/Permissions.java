package dev.clientgo.remotecommand.copy;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Translates permissions between numbers of POSIX and sets of Java. */
final class Permissions {

  /** The lowest bit first. */
  private static final List<PosixFilePermission> BITS =
      List.of(
          PosixFilePermission.OTHERS_EXECUTE,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_READ);

  private Permissions() {}

  /** Returns the permissions of a mode, without the bits beyond them. */
  static Set<PosixFilePermission> of(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int bit = 0; bit < BITS.size(); bit++) {
      if ((mode & 1 << bit) != 0) {
        permissions.add(BITS.get(bit));
      }
    }
    return permissions;
  }

  static int mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (int bit = 0; bit < BITS.size(); bit++) {
      mode |= permissions.contains(BITS.get(bit)) ? 1 << bit : 0;
    }
    return mode;
  }
}
