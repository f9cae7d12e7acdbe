package dev.clientgo.rest.kubeconfig;

import java.net.PasswordAuthentication;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What goes before a kubeconfig, and what stands in for what it does not say. Immutable.
 *
 * <p>Corresponds to client-go's {@code clientcmd.ConfigOverrides}.
 *
 * @param contextName the context to use, null for the current one
 * @param context what goes before the context
 * @param defaults what the cluster is where the kubeconfig does not say
 * @param cluster what goes before the cluster
 * @param user what goes before the user
 * @param prompt asks for a name and a password if nothing says who the user is
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
