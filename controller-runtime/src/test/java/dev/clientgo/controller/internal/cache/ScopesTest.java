package dev.clientgo.controller.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The namespaces of a manager, which come and go. */
final class ScopesTest {

  /** A manager that runs for months would have kept the name of each. */
  @Test
  void namespacesThatComeAndGo_areForgottenAtSomeTime() {
    Scopes scopes = new Scopes(List.of("a"), Map.of(), /* startsByRead= */ true);
    for (int i = 0; i <= 50_000; i++) {
      scopes.add("n" + i);
      scopes.remove("n" + i);
    }

    assertThat(scopes.namespaces()).containsExactly("a");
    assertThat(scopes.wasRemoved("n0")).isFalse();
    assertThat(scopes.wasRemoved("n1")).isTrue();
    scopes.add("n1");
    assertThat(scopes.wasRemoved("n1")).isFalse();
  }
}
