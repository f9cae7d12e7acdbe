package dev.clientgo.envtest.internal.rbac;

import dev.clientgo.envtest.internal.rbac.RoleResolver.Grant;
import dev.clientgo.envtest.internal.rbac.RoleResolver.Grants;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Permits what roles permit, and records what users have done and wanted to do. Administrators may
 * do everything. Safe for use by many threads.
 */
public final class Authorizer {

  /** Whether something is permitted, and why; the reason is empty without an error. */
  public record Decision(boolean allowed, String reason) {}

  /** An action that a user wanted to take, and whether it was permitted. */
  public record Access(Attributes attributes, boolean allowed) {}

  private final RoleResolver roles;
  private final Set<Access> accesses = ConcurrentHashMap.newKeySet();

  public Authorizer(RoleResolver roles) {
    this.roles = roles;
  }

  /** Decides, without a record. */
  public Decision decide(Attributes attributes) {
    if (attributes.user().isAdmin()) {
      return new Decision(true, "");
    }
    Grants found = roles.rulesFor(attributes.user(), attributes.namespace());
    for (Grant grant : found.grants()) {
      if (grant.rules().stream().anyMatch(rule -> rule.allows(attributes))) {
        return new Decision(true, "RBAC: allowed by " + grant.binding());
      }
    }
    return new Decision(
        false,
        switch (found.errors().size()) {
          case 0 -> "";
          case 1 -> "RBAC: " + found.errors().get(0);
          default -> "RBAC: [" + String.join(", ", found.errors()) + "]";
        });
  }

  /**
   * Records an access and checks that it is permitted.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is not
   */
  public void check(Attributes attributes) {
    Decision decision = decide(attributes);
    accesses.add(new Access(attributes, decision.allowed));
    if (!decision.allowed) {
      throw attributes.forbidden(decision.reason);
    }
  }

  /** Returns what a user has done and wanted to do. */
  public List<Access> accesses(String user) {
    return accesses.stream()
        .filter(access -> access.attributes().user().name().equals(user))
        .toList();
  }

  /** Returns the roles. */
  public RoleResolver roles() {
    return roles;
  }

  /** Forgets all accesses. */
  public void clear() {
    accesses.clear();
  }

  /** Forgets what a user has done. */
  public void clear(String user) {
    accesses.removeIf(access -> access.attributes().user().name().equals(user));
  }
}
