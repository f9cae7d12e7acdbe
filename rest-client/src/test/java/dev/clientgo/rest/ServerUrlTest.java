package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerUrlTest {

  /** TestValidatesHostParameter in rest/url_utils_test.go, and some. */
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, http://127.0.0.1/, https://127.0.0.1/",
    "127.0.0.1:8080, http://127.0.0.1:8080/, https://127.0.0.1:8080/",
    "foo.bar.com, http://foo.bar.com/, https://foo.bar.com/",
    "http://host/prefix, http://host/prefix/, http://host/prefix/",
    "http://host, http://host/, http://host/",
    "https://host:6443/, https://host:6443/, https://host:6443/",
    "https://h/a/b/?x=1#y, https://h/a/b/, https://h/a/b/",
    "https://[::1]:6443, https://[::1]:6443/, https://[::1]:6443/",
    "[fd00::1]:6443, http://[fd00::1]:6443/, https://[fd00::1]:6443/",
    "localhost/, http://localhost/, https://localhost/",
    "http://h//, http://h/, http://h/",
    "http://h//a//b//, http://h/a/b/, http://h/a/b/",
  })
  void parse_ofAnAddress_isAUrl(String address, String plain, String tls) {
    assertThat(ServerUrl.parse(address, false)).hasToString(plain);
    assertThat(ServerUrl.parse(address, true)).hasToString(tls);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host/server",
        "ftp://host",
        "https://",
        "http://host:port",
        "http://h:99999",
        "a b"
      })
  void parse_ofAnythingElse_isRefused(String address) {
    assertThatThrownBy(() -> ServerUrl.parse(address, false))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("server " + address + " ");
  }

  @Test
  void parse_ofNothing_saysWhatToGive() {
    assertThatThrownBy(() -> ServerUrl.parse("", false))
        .hasMessage(
            "no server is configured: give a URL such as https://10.0.0.1:6443, or host:port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://me:hunter2@host", "ftp://me:hunter2@host", "me:hunter2@host:x"})
  void parse_ofAPassword_doesNotShowIt(String address) {
    assertThatThrownBy(() -> ServerUrl.parse(address, false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("@host")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
  }
}
