package dev.clientgo.envtest.traffic;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The user for whom a request is made. Immutable. Corresponds to {@code user.Info} of the API
 * server.
 *
 * @param name the name, such as {@code system:serviceaccount:default:web}
 * @param uid the UID, or the empty string
 * @param groups the groups, such as {@code system:authenticated}
 * @param extra more attributes
 */
public record RequestUser(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  private static final String MASTERS = "system:masters";
  private static final String AUTHENTICATED = "system:authenticated";
  private static final String UNAUTHENTICATED = "system:unauthenticated";
  private static final String ANONYMOUS = "system:anonymous";
  private static final String ACCOUNT = "system:serviceaccount:";
  private static final String EXTRA = "impersonate-extra-";

  public RequestUser {
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  /** Returns the administrator, who may do everything. */
  public static RequestUser admin() {
    return new RequestUser("envtest-admin", "", List.of(MASTERS, AUTHENTICATED), Map.of());
  }

  /** Returns the user of a request without credentials. */
  public static RequestUser anonymous() {
    return new RequestUser(ANONYMOUS, "", List.of(UNAUTHENTICATED), Map.of());
  }

  /** Returns whether everything is allowed to the user, whatever roles say. */
  public boolean isAdmin() {
    return groups.contains(MASTERS);
  }

  /** Returns whether the user is this service account. */
  public boolean isServiceAccount(String namespace, String account) {
    return name.equals(ACCOUNT + namespace + ":" + account);
  }

  /** Returns the user that an administrator impersonates by these headers, or the administrator. */
  static RequestUser of(Map<String, List<String>> headers) {
    String name = first(headers, "Impersonate-User");
    if (name.isEmpty()) {
      return admin();
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    headers.forEach(
        (header, values) -> {
          String key = header.toLowerCase(Locale.ROOT);
          if (key.startsWith(EXTRA)) {
            extra.put(ApiRequest.decodeSegment(key.substring(EXTRA.length())), List.copyOf(values));
          }
        });
    List<String> groups = headers.getOrDefault("Impersonate-Group", List.of());
    return new RequestUser(name, first(headers, "Impersonate-Uid"), groups(name, groups), extra);
  }

  /** Returns a user with these groups and those that the API server adds. */
  public static RequestUser impersonated(String name, List<String> groups) {
    return new RequestUser(name, "", groups(name, groups), Map.of());
  }

  /** Returns whether there are attributes of a user to impersonate, but no name. */
  static boolean lacksName(Map<String, List<String>> headers) {
    Set<String> parts = Set.of("impersonate-group", "impersonate-uid");
    return first(headers, "Impersonate-User").isEmpty()
        && headers.keySet().stream()
            .map(header -> header.toLowerCase(Locale.ROOT))
            .anyMatch(header -> parts.contains(header) || header.startsWith(EXTRA));
  }

  private static List<String> groups(String name, List<String> sent) {
    List<String> groups = new ArrayList<>(sent);
    String[] account = name.split(":", -1);
    if (groups.isEmpty() && name.startsWith(ACCOUNT) && account.length == 4) {
      groups.add("system:serviceaccounts");
      groups.add("system:serviceaccounts:" + account[2]);
    }
    boolean anonymous = name.equals(ANONYMOUS);
    if (!groups.contains(UNAUTHENTICATED) && (anonymous || !groups.contains(AUTHENTICATED))) {
      groups.add(anonymous ? UNAUTHENTICATED : AUTHENTICATED);
    }
    return groups;
  }

  private static String first(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.get(0);
  }
}
