package dev.clientgo.apimachinery.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpRulesTest {

  /** Upstream: TestIsValidIP of util/validation, good values. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.2.3.4",
        "0.0.0.0",
        "255.255.255.255",
        "1234::abcd",
        "::",
        "::1",
        "1::",
        "1:0:0:2::3",
        "1:2:3:4:5:6:7:8",
        "1:0:2:3:4:5:6:7",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
      })
  void ip_inCanonicalForm_isAccepted(String ip) {
    assertThat(NameRule.IP.problems(ip)).isEmpty();
    assertThat(NameRule.LEGACY_IP.problems(ip)).isEmpty();
  }

  /** Upstream: TestIsValidIP of util/validation, the texts that strict validation rejects. */
  @ParameterizedTest
  @CsvSource({
    "0:0:0:0:0:0:0:0, canonical form which is '::'",
    "0001:002:03:4::, canonical form which is '1:2:3:4::'",
    "1234::ABCD, canonical form which is '1234::abcd'",
    "1::2:0:0:0:3, canonical form which is '1:0:0:2::3'",
    "64:ff9b::1.2.3.4, canonical form which is '64:ff9b::102:304'",
    "1.1.1.01, leading zeros",
    "::ffff:1.1.1.1, IPv4 address in the form of IPv6",
    "::ffff:1.1.1.01, leading zeros"
  })
  void ip_inAnotherForm_isForOldFieldsAlone(String ip, String problem) {
    assertThat(NameRule.IP.problems(ip)).hasSize(1);
    assertThat(NameRule.IP.problems(ip).get(0).replace(",", "")).contains(problem);
    assertThat(NameRule.LEGACY_IP.problems(ip)).isEmpty();
  }

  /** Upstream: TestIsValidIP of util/validation, bad values. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "aaaaaaa",
        "myhost.mydomain",
        "1.2.3.0/24",
        "1.2.3.400",
        "1.2.3",
        "1.2.3.4.5",
        "1.2..4",
        "-1.0.0.0",
        "2001:db8::10005",
        "1.2.3.4:80",
        "[2001:db8::1]",
        "[2001:db8::1]:80",
        "example.com:80",
        "1234::abcd%eth0",
        "169.254.0.0%eth0",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8::",
        ":1:2:3:4:5:6:7:8",
        "1.2.3.4::",
        "1:2:3:4:5:6:7:1.2.3.4"
      })
  void ip_thatIsNone_isRefused(String text) {
    assertThat(NameRule.IP.problems(text)).singleElement().asString().contains("an IP address");
    assertThat(NameRule.LEGACY_IP.problems(text)).isEqualTo(NameRule.IP.problems(text));
  }

  /** Upstream: TestIsValidCIDR of util/validation, good values. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1.0.0.0/8", "0.0.0.0/0", "1.1.1.1/32", "2001:4860:4860::/48", "::/0", "::1/128"})
  void cidr_inCanonicalForm_isAccepted(String cidr) {
    assertThat(NameRule.CIDR.problems(cidr)).isEmpty();
    assertThat(NameRule.LEGACY_CIDR.problems(cidr)).isEmpty();
  }

  /** Upstream: TestIsValidCIDR of util/validation, the texts that strict validation rejects. */
  @ParameterizedTest
  @CsvSource({
    "2a00:79e0:2:0::/64, canonical form which is '2a00:79e0:2::/64'",
    "2001:DB8::/64, canonical form which is '2001:db8::/64'",
    "1.1.01.0/24, leading zeros",
    "::ffff:1.1.1.0/24, IPv4 address in the form of IPv6",
    "::ffff:1.1.1.0/120, IPv4 address in the form of IPv6",
    "1.2.3.4/24, bits set beyond the prefix length",
    "2001:db8::1/64, bits set beyond the prefix length",
    "192.168.0.0/016, leading zeros"
  })
  void cidr_inAnotherForm_isForOldFieldsAlone(String cidr, String problem) {
    assertThat(NameRule.CIDR.problems(cidr)).hasSize(1);
    assertThat(NameRule.CIDR.problems(cidr).get(0).replace(",", "")).contains(problem);
    assertThat(NameRule.LEGACY_CIDR.problems(cidr)).isEmpty();
  }

  /** Upstream: TestIsValidCIDR and TestIsValidInterfaceAddress of util/validation, bad values. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "aaaaaaa",
        "1.2.3.4",
        "192.168.0.1/healthz",
        "192.168.0.1/0/99",
        "192.168.0.0/-16",
        "192.168.0.0/+16",
        "192.168.0.0/33",
        "::/129",
        "1.2.3.4/"
      })
  void cidr_thatIsNone_isRefused(String text) {
    for (NameRule rule : List.of(NameRule.CIDR, NameRule.LEGACY_CIDR, NameRule.INTERFACE_ADDRESS)) {
      assertThat(rule.problems(text)).singleElement().asString().contains("length of its prefix");
    }
  }

  /** Upstream: TestIsValidInterfaceAddress of util/validation. */
  @ParameterizedTest
  @CsvSource({
    "1.2.3.4/24, 1.2.3.4/24",
    "1.1.1.1/32, 1.1.1.1/32",
    "2001:4860:4860::1/48, 2001:4860:4860::1/48",
    "::1/128, ::1/128",
    "2001:0:0:0::0BCD/64, 2001::bcd/64",
    "1.1.01.002/24, 1.1.1.2/24",
    "::ffff:1.1.1.1/24, 1.1.1.1/24",
    "::ffff:1.1.1.1/120, 1.1.1.1/24",
    "192.168.0.5/016, 192.168.0.5/16"
  })
  void interfaceAddress_mustBeCanonical(String text, String canonical) {
    if (text.equals(canonical)) {
      assertThat(NameRule.INTERFACE_ADDRESS.problems(text)).isEmpty();
    } else {
      assertThat(NameRule.INTERFACE_ADDRESS.problems(text))
          .containsExactly("must be in canonical form, which is '" + canonical + "'");
    }
  }

  /** Upstream: TestIsValidPortNum of util/validation. */
  @ParameterizedTest
  @CsvSource({
    "1, true", "2, true", "1000, true", "16384, true", "32768, true", "65535, true",
    "0, false", "-1, false", "65536, false", "100000, false", "http, false", "'', false"
  })
  void portNumber_isFrom1To65535(String port, boolean accepted) {
    assertThat(NameRule.PORT_NUMBER.accepts(port)).isEqualTo(accepted);
  }
}
