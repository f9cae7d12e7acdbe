package dev.clientgo.rest.kubeconfig;

import java.net.PasswordAuthentication;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings that take precedence over a kubeconfig, and defaults for what it does not set.
 * Immutable.
 *
 * <p>Corresponds to client-go's {@code clientcmd.ConfigOverrides}.
 *
 * @param contextName the context to use, null for the current one
 * @param context overrides the context
 * @param defaults the defaults of the cluster
 * @param cluster overrides the cluster
 * @param user overrides the user
 * @param prompt asks for a name and a password if there are no credentials, null for none
 */
record Overrides(
    @Nullable String contextName,
    Context context,
    Cluster defaults,
    Cluster cluster,
    AuthInfo user,
    @Nullable Supplier<PasswordAuthentication> prompt) {

  static final Overrides NONE =
      new Overrides(null, Context.EMPTY, Cluster.EMPTY, Cluster.EMPTY, AuthInfo.EMPTY, null);

  @Override
  public String toString() {
    return "Overrides[context=" + contextName + ", cluster=" + cluster + "]";
  }
}
