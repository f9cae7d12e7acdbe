package dev.clientgo.rest.kubeconfig;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes only the tokens of an auth provider back to the file of the user.
 *
 * <p>Corresponds to client-go's {@code clientcmd.PersisterForUser}.
 */
record UserPersister(String name, AuthInfo user) implements Consumer<Map<String, String>> {

  @Override
  public void accept(Map<String, String> values) {
    Path file = user.origin();
    if (file == null) {
      return;
    }
    KubeConfigLoader.builder()
        .file(file)
        .build()
        .modify(
            config -> {
              AuthInfo known = config.users().get(name);
              String provider = known == null ? null : known.authProvider();
              if (known == null || provider == null) {
                return config;
              }
              AuthInfo renewed = known.toBuilder().authProvider(provider, values).build();
              return config.toBuilder().user(name, renewed).build();
            });
  }
}
