package dev.clientgo.rest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What is sent as {@code Authorization}. Safe for use by many threads. */
interface Credentials {

  /** Sends nothing: anonymous, or known by a client certificate. */
  Credentials NONE = fixed(null);

  /**
   * Returns the value of the header, null for none. May read a file or ask a program.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if there is none to be had
   * @throws InterruptedException if the thread is interrupted
   */
  @Nullable String authorization() throws InterruptedException;

  /**
   * Takes note that the server does not accept a value any more. The next value is obtained anew,
   * unless another thread has done so already.
   */
  void refused(String authorization);

  /** Returns credentials that never change. */
  private static Credentials fixed(@Nullable String authorization) {
    return new Credentials() {
      @Override
      public @Nullable String authorization() {
        return authorization;
      }

      @Override
      public void refused(String refused) {}
    };
  }

  /** Returns the credentials of a token that never changes. */
  static Credentials bearer(String token) {
    return fixed("Bearer " + token);
  }

  /** Returns the credentials of a user with a password. */
  static Credentials basic(String username, String password) {
    byte[] both = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
    return fixed("Basic " + Base64.getEncoder().encodeToString(both));
  }
}
