package dev.clientgo.envtest;

import dev.clientgo.envtest.internal.rbac.Attributes;
import dev.clientgo.envtest.internal.rbac.Authorizer;
import dev.clientgo.envtest.internal.rbac.Authorizer.Access;
import dev.clientgo.envtest.internal.rbac.RoleReport;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The requests of a user of the embedded server, compared with what roles permit: the least roles
 * that suffice, the permissions that lack, and those that are not used.
 *
 * <pre>{@code
 * Permissions permissions = server.permissions(client).anywhere(namespace);
 * Files.writeString(Path.of("config/role.yaml"), permissions.needed("my-controller"));
 * }</pre>
 *
 * <p>Roles are returned as YAML that {@code kubectl apply} takes, in a fixed order, so that two
 * runs can be compared line by line. A watch also needs {@code list}, since older servers do not
 * stream the first list. What all users may do, such as discovery, is left out. A live view, which
 * sees later requests, too. Immutable, and safe for use by many threads.
 */
public final class Permissions {

  private final Authorizer authorizer;
  private final ApiRequest.User user;
  private final Set<String> anywhere;

  private Permissions(Authorizer authorizer, ApiRequest.User user, Set<String> anywhere) {
    this.authorizer = authorizer;
    this.user = user;
    this.anywhere = anywhere;
  }

  static Permissions of(Authorizer authorizer, ApiRequest.User user) {
    return new Permissions(authorizer, user, Set.of());
  }

  /**
   * Returns a view that takes these namespaces, such as those that a test creates, for any
   * namespace: the view permits all that was done in them in all namespaces, for objects of any
   * name.
   */
  public Permissions anywhere(String... namespaces) {
    Set<String> all = new HashSet<>(anywhere);
    all.addAll(Arrays.asList(namespaces));
    return new Permissions(authorizer, user, Set.copyOf(all));
  }

  /**
   * Returns the least roles that permit what the user has done or wanted to do: a ClusterRole for
   * the cluster and for all namespaces, and a Role for each other namespace that was used. If a
   * verb was used in one namespace for one object only, its rule in the Role names the object.
   *
   * @param name the name of the roles
   * @return YAML, empty if nothing was done
   */
  public String needed(String name) {
    return RoleReport.needed(name, accesses(true), anywhere);
  }

  /**
   * Returns roles with the permissions for which requests were refused.
   *
   * @return YAML, empty if nothing was refused
   */
  public String missing() {
    return RoleReport.needed("missing", accesses(false), anywhere);
  }

  /**
   * Returns the roles of the user with those permissions alone that were never used: advice, since
   * a test need not do all that a program does.
   *
   * @return YAML, empty if all were used
   */
  public String unused() {
    return RoleReport.unused(authorizer.roles().everywhere(user), accesses(true));
  }

  /**
   * Asserts that no request of the user was refused for lack of a permission.
   *
   * @throws AssertionError if one was; its message has the rules to add, as YAML, and the requests
   */
  public void assertSufficient() {
    List<Attributes> refused = accesses(false);
    if (!refused.isEmpty()) {
      throw new AssertionError(
          "%s lacks permissions; these rules permit what was refused:\n%srefused:\n%s"
              .formatted(
                  user.name(),
                  missing(),
                  refused.stream()
                      .map(access -> "  " + access)
                      .sorted()
                      .distinct()
                      .collect(Collectors.joining("\n"))));
    }
  }

  /** Forgets what the user has done so far. */
  public void clear() {
    authorizer.clear(user.name());
  }

  /** Returns all accesses, or the refused ones. */
  private List<Attributes> accesses(boolean all) {
    return authorizer.accesses(user.name()).stream()
        .filter(access -> all || !access.allowed())
        .map(Access::attributes)
        .toList();
  }
}
