package dev.clientgo.rest.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Proxies of the environment. The cases are those of Go's {@code httpproxy.TestProxyForURL} and
 * {@code TestUseProxy}, and of apimachinery's {@code TestProxierWithNoProxyCIDR}.
 */
final class ProxiesTest {

  private static String find(String server, String... environment) {
    Map<String, String> env = new HashMap<>();
    for (String variable : environment) {
      int equals = variable.indexOf('=');
      env.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    return new Proxies(env).find(HttpUrl.get(server)).map(URI::toString).orElse("direct");
  }

  @ParameterizedTest
  @CsvSource({
    "https://example.com, HTTPS_PROXY=http://p:1, http://p:1",
    "https://example.com, https_proxy=http://p:1, http://p:1",
    "https://example.com, HTTP_PROXY=http://p:1, direct",
    "http://example.com, HTTP_PROXY=http://p:1, http://p:1",
    "http://example.com, HTTPS_PROXY=http://p:1, direct",
    "https://example.com, HTTPS_PROXY=127.0.0.1:8080, http://127.0.0.1:8080",
    "https://example.com, HTTPS_PROXY=cache.corp.example.com:1234, http://cache.corp.example.com:1234",
    "https://example.com, HTTPS_PROXY=cache.corp, http://cache.corp",
    "https://example.com, HTTPS_PROXY=https://cache.corp, https://cache.corp",
    "https://example.com, HTTPS_PROXY=socks5://127.0.0.1, socks5://127.0.0.1",
    "https://localhost:6443, HTTPS_PROXY=http://p:1, direct",
    "https://127.0.0.1:6443, HTTPS_PROXY=http://p:1, direct",
    "https://127.1.2.3, HTTPS_PROXY=http://p:1, direct",
    "https://[::1]:6443, HTTPS_PROXY=http://p:1, direct",
  })
  void find_goesByTheSchemeOfTheServer(String server, String variable, String expected) {
    assertThat(find(server, variable)).isEqualTo(expected);
  }

  @Test
  void find_prefersCapitals() {
    assertThat(find("https://h", "HTTPS_PROXY=http://a", "https_proxy=http://b"))
        .isEqualTo("http://a");
  }

  /** A web server hands the header Proxy to a CGI program as HTTP_PROXY: CVE-2016-5386. */
  @Test
  void find_inACgiProgram_ignoresHttpProxy() {
    assertThat(find("http://h", "HTTP_PROXY=http://evil", "REQUEST_METHOD=GET"))
        .isEqualTo("direct");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "foo.example.com | example.com | direct",
        "example.com | example.com | direct",
        "myexample.com | example.com | p",
        "foo.example.com | .example.com | direct",
        "example.com | .example.com | p",
        "foo.example.com | *.example.com | direct",
        "example.com | *.example.com | p",
        "Example.COM | EXAMPLE.com | direct",
        "example.com | other.com, example.com | direct",
        "example.com | ,,  | p",
        "example.com | * | direct",
        "example.com:6443 | example.com:6443 | direct",
        "example.com:6443 | example.com:443 | p",
        "10.1.2.3 | 10.0.0.0/8 | direct",
        "11.1.2.3 | 10.0.0.0/8 | p",
        "10.1.2.3 | 10.1.2.3/32 | direct",
        "10.1.2.3 | 10.1.2.3 | direct",
        "10.1.2.3 | 10.1.2.4 | p",
        "10.1.2.3 | 10.0.0.0/x | p",
        "10.1.2.3 | 10.0.0.0/99 | p",
        "10.1.2.3:80 | 10.1.2.3:80 | direct",
        "example.com | 10.0.0.0/8 | p",
        "[fd00::1] | fd00::/8 | direct",
        "[fd00::1] | fe00::/8 | p",
        "[fd00::1] | fd00::1 | direct",
        "[fd00::1]:80 | [fd00::1]:80 | direct",
      })
  void noProxy_excludes(String host, String noProxy, String expected) {
    assertThat(find("https://" + host, "HTTPS_PROXY=http://p", "NO_PROXY=" + noProxy))
        .isEqualTo(expected.equals("p") ? "http://p" : expected);
  }

  @Test
  void find_noUrl_isRefusedUnseen() {
    assertThatThrownBy(() -> find("https://h", "HTTPS_PROXY=http://me:hunter2@:x y"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "the environment variable HTTPS_PROXY is not an http, https or socks5 URL with a host");
  }
}
