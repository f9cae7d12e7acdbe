package dev.clientgo.rest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
    "https://rancher.example/k8s/clusters/c-1, https://rancher.example/k8s/clusters/c-1/, https://rancher.example/k8s/clusters/c-1/",
    "http://h/a%2Fb%20c/, http://h/a/b%20c/, http://h/a/b%20c/",
    "http://h/a/../b/./c, http://h/b/c/, http://h/b/c/",
    "HTTPS://Host.EXAMPLE:6443/Path, https://host.example:6443/Path/, https://host.example:6443/Path/",
    "localhost:8080?x=1, http://localhost:8080/, https://localhost:8080/",
    "'[::1]', http://[::1]/, https://[::1]/",
    "'https://[fe80::1%25eth0]:6443', 'https://[fe80::1%25eth0]:6443/', 'https://[fe80::1%25eth0]:6443/'",
    "'[fe80::1%25br-1.2]:6443', 'http://[fe80::1%25br-1.2]:6443/', 'https://[fe80::1%25br-1.2]:6443/'",
    "'https://[fe80::1%25eth0]/a', 'https://[fe80::1%25eth0]/a/', 'https://[fe80::1%25eth0]/a/'",
    "https://me:pw@h/a, https://h/a/, https://h/a/",
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
        "a b",
        "//host:6443",
        "https:///host",
        "https:/host",
        "https:host",
        "https://host\\path",
        "unix:///var/run/api.sock",
        "::1",
        "https://fe80::1",
        "https://[fe80::1%eth0]:6443",
        "https://[fe80::1%25]:6443",
        "https://10.0.0.1%25eth0"
      })
  void parse_ofAnythingElse_isRefused(String address) {
    assertThatThrownBy(() -> ServerUrl.parse(address, false))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("server " + address + " ");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void parse_ofALongText_isRefusedSoon() {
    for (String part : List.of("\\", ":///")) {
      assertThatThrownBy(() -> ServerUrl.parse("http://" + part.repeat(400_000) + "\n", true))
          .isInstanceOf(ConfigException.class);
    }
  }

  @Test
  void parse_ofNothing_saysWhatToGive() {
    assertThatThrownBy(() -> ServerUrl.parse("", false))
        .hasMessage(
            "no server is configured: give a URL such as https://10.0.0.1:6443, or host:port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"me:hunter2@host/x", "ftp://me:hunter2@host", "me:hunter2@host:x"})
  void parse_ofAPassword_doesNotShowIt(String address) {
    assertThatThrownBy(() -> ServerUrl.parse(address, false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("@host")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
  }
}
