package dev.clientgo.apimachinery.json.internal.projection;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that a caller may have meant. */
public final class NearNames {

  private static final int MAX_NAMES = 3;

  private NearNames() {}

  /** Returns up to three names that are like this one, the likest first. */
  public static List<String> of(String name, List<String> all) {
    int limit = name.length() < 4 ? 1 : Math.max(2, name.length() / 3);
    return all.stream()
        .filter(each -> distance(name, each) <= limit)
        .sorted(Comparator.comparingInt(each -> distance(name, each)))
        .limit(MAX_NAMES)
        .toList();
  }

  /** Returns the number of letters to insert, remove or change; letter case does not count. */
  private static int distance(String a, String b) {
    String from = a.toLowerCase(Locale.ROOT);
    String to = b.toLowerCase(Locale.ROOT);
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
