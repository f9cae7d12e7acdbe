package dev.clientgo.envtest.internal.kinds;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of API versions: {@code v10, v2, v1, v11beta2, v3beta1, v12alpha1}, and then other
 * names in alphabetical order.
 *
 * <p>Corresponds to apimachinery's {@code version.CompareKubeAwareVersionStrings}.
 *
 * @param name the version
 * @param stability 3 for stable, 2 for beta, 1 for alpha, 0 for other names
 * @param major the first number
 * @param minor the number after {@code alpha} or {@code beta}
 */
public record ApiVersionOrder(String name, int stability, long major, long minor) {

  /** Sorts versions, the preferred one first. */
  public static final Comparator<String> PREFERRED_FIRST =
      Comparator.comparing(
          ApiVersionOrder::of,
          Comparator.comparingInt(ApiVersionOrder::stability)
              .thenComparingLong(ApiVersionOrder::major)
              .thenComparingLong(ApiVersionOrder::minor)
              .reversed()
              .thenComparing(ApiVersionOrder::name));

  private static final Pattern VERSION =
      Pattern.compile("v([1-9][0-9]{0,17})(?:(alpha|beta)([1-9][0-9]{0,17}))?");

  private static ApiVersionOrder of(String name) {
    Matcher matcher = VERSION.matcher(name);
    if (!matcher.matches()) {
      return new ApiVersionOrder(name, 0, 0, 0);
    }
    long major = Long.parseLong(matcher.group(1));
    if (matcher.group(2) == null) {
      return new ApiVersionOrder(name, 3, major, 0);
    }
    int stability = matcher.group(2).equals("beta") ? 2 : 1;
    return new ApiVersionOrder(name, stability, major, Long.parseLong(matcher.group(3)));
  }
}
