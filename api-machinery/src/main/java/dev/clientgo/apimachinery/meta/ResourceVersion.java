package dev.clientgo.apimachinery.meta;

/**
 * The order of resource versions. Versions are opaque, with one exception: those of one resource,
 * from servers that store their data in etcd, are decimal numbers that grow with every change.
 *
 * <p>Corresponds to {@code CompareResourceVersion} of {@code
 * k8s.io/apimachinery/pkg/util/resourceversion}.
 */
public final class ResourceVersion {

  private ResourceVersion() {}

  /**
   * Compares two versions of one resource, or of objects of one resource.
   *
   * @return a negative number if the first is older, zero if they are the same, a positive number
   *     if the first is newer
   * @throws IllegalArgumentException if one of them is not such a number; the message names it
   */
  public static int compare(String first, String second) {
    requireValid("first", first);
    requireValid("second", second);
    return first.length() == second.length()
        ? first.compareTo(second)
        : Integer.compare(first.length(), second.length());
  }

  /** Returns whether versions of this form can be compared: a decimal number from 1. */
  public static boolean isComparable(String version) {
    for (int i = 0; i < version.length(); i++) {
      if (version.charAt(i) < '0' || version.charAt(i) > '9') {
        return false;
      }
    }
    return !version.isEmpty() && version.charAt(0) != '0';
  }

  private static void requireValid(String which, String version) {
    if (!isComparable(version)) {
      throw new IllegalArgumentException(
          "the %s resource version, \"%s\", cannot be compared: not a decimal number from 1"
              .formatted(which, version));
    }
  }
}
