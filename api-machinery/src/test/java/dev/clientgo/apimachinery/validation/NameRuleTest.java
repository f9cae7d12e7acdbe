package dev.clientgo.apimachinery.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class NameRuleTest {

  private static final Map<String, NameRule> RULES = new TreeMap<>();

  static {
    RULES.put("DNS1123_LABEL", NameRule.DNS1123_LABEL);
    RULES.put("DNS1123_SUBDOMAIN", NameRule.DNS1123_SUBDOMAIN);
    RULES.put("DNS1123_SUBDOMAIN_WITH_UNDERSCORE", NameRule.DNS1123_SUBDOMAIN_WITH_UNDERSCORE);
    RULES.put("WILDCARD_DNS1123_SUBDOMAIN", NameRule.WILDCARD_DNS1123_SUBDOMAIN);
    RULES.put("DNS1035_LABEL", NameRule.DNS1035_LABEL);
    RULES.put("LABEL_KEY", NameRule.LABEL_KEY);
    RULES.put("PREFIXED_LABEL_KEY", NameRule.PREFIXED_LABEL_KEY);
    RULES.put("LABEL_VALUE", NameRule.LABEL_VALUE);
    RULES.put("C_IDENTIFIER", NameRule.C_IDENTIFIER);
    RULES.put("ENV_VAR_NAME", NameRule.ENV_VAR_NAME);
    RULES.put("RELAXED_ENV_VAR_NAME", NameRule.RELAXED_ENV_VAR_NAME);
    RULES.put("CONFIG_MAP_KEY", NameRule.CONFIG_MAP_KEY);
    RULES.put("HTTP_HEADER_NAME", NameRule.HTTP_HEADER_NAME);
    RULES.put("PORT_NAME", NameRule.PORT_NAME);
    RULES.put("PERCENT", NameRule.PERCENT);
    RULES.put("PATH_SEGMENT_NAME", NameRule.PATH_SEGMENT_NAME);
    RULES.put("PATH_SEGMENT_PREFIX", NameRule.PATH_SEGMENT_PREFIX);
    RULES.put("FULLY_QUALIFIED_DOMAIN_NAME", NameRule.FULLY_QUALIFIED_DOMAIN_NAME);
    RULES.put("FULLY_QUALIFIED_NAME", NameRule.FULLY_QUALIFIED_NAME);
    RULES.put("DOMAIN_PREFIXED_PATH", NameRule.DOMAIN_PREFIXED_PATH);
  }

  private static Arguments names(String rule, String... names) {
    return argumentSet(rule, RULES.get(rule), List.of(names));
  }

  private static String a(int times) {
    return "a".repeat(times);
  }

  /**
   * Upstream: TestIsDNS1123Label, TestIsDNS1123Subdomain, TestIsDNS1123SubdomainWithUnderscore,
   * TestIsWildcardDNS1123Subdomain, TestIsDNS1035Label, TestIsLabelKey, TestIsPrefixedLabelKey,
   * TestIsLabelValue, TestIsCIdentifier, TestIsRelaxedEnvVarName, TestIsConfigMapKey,
   * TestIsHTTPHeaderName, TestIsValidPortName, TestIsValidPercent, TestIsPathSegmentName,
   * TestIsPathSegmentPrefix, TestIsFullyQualifiedDomainName, TestIsFullyQualifiedName,
   * TestIsDomainPrefixedPath.
   */
  static Stream<Arguments> goodNames() {
    return Stream.of(
        names(
            "DNS1123_LABEL",
            "a",
            "ab",
            "abc",
            "a1",
            "a-1",
            "a--1--2--b",
            "0",
            "01",
            "012",
            "1a",
            "1-a",
            "1--a--b--2",
            a(63)),
        names(
            "DNS1123_SUBDOMAIN",
            "a",
            "a-1",
            "a--1--2--b",
            "0",
            "1--a--b--2",
            "a.a",
            "ab.a",
            "a-1.a",
            "a--1--2--b.a",
            "a.1",
            "0.a",
            "1-a.a",
            "0.1",
            "1--a--b--2.1",
            "a.b.c.d.e",
            "aa.bb.cc.dd.ee",
            "1.2.3.4.5",
            "11.22.33.44.55",
            a(253)),
        names(
            "DNS1123_SUBDOMAIN_WITH_UNDERSCORE",
            "example.com",
            "_example.com",
            "sub._example.com",
            "sub-domain.example.com",
            "sub_domain.example.com",
            "a",
            a(253)),
        names("WILDCARD_DNS1123_SUBDOMAIN", "*.example.com", "*.bar.com", "*.foo.bar.com"),
        names("DNS1035_LABEL", "a", "ab", "abc", "a1", "a-1", "a--1--2--b", a(63)),
        names(
            "LABEL_KEY",
            "simple",
            "now-with-dashes",
            "1-starts-with-num",
            "1234",
            "simple/simple",
            "now-with-dashes/simple",
            "now-with-dashes/now-with-dashes",
            "now.with.dots/simple",
            "now-with.dashes-and.dots/simple",
            "1-num.2-num/3-num",
            "1234/5678",
            "1.2.3.4/5678",
            "Uppercase_Is_OK_123",
            "example.com/Uppercase_Is_OK_123",
            "requests.storage-foo",
            a(63),
            a(253) + "/" + a(63)),
        names("PREFIXED_LABEL_KEY", "simple/simple", "1.2.3.4/5678", a(253) + "/" + a(63)),
        names(
            "LABEL_VALUE",
            "simple",
            "now-with-dashes",
            "1-starts-with-num",
            "end-with-num-1",
            "1234",
            a(63),
            ""),
        names("C_IDENTIFIER", "a", "ab", "A1", "_a", "a_b", "__", "A_1_b", a(300)),
        names("ENV_VAR_NAME", "a", "my.env-name", "MY_ENV.NAME", "MyEnvName1", "-", "_", ".a"),
        names(
            "RELAXED_ENV_VAR_NAME",
            "-",
            ":",
            "_",
            "+a",
            ">a",
            "<a",
            "a.",
            "a..",
            "*a",
            "%a",
            "?a",
            "a:a",
            "a_a",
            "aAz",
            "~a",
            "|a",
            "a0a",
            "a9",
            "/a",
            "a ",
            "#a",
            "0a",
            "0 a",
            "'a",
            "(a",
            "@a"),
        names(
            "CONFIG_MAP_KEY",
            "a",
            "good",
            "good-good",
            "still.good",
            "this.is.also.good",
            ".so.is.this",
            "THIS_IS_GOOD",
            "so_is_this_17",
            a(253)),
        names(
            "HTTP_HEADER_NAME",
            "Accept-Encoding",
            "Host",
            "X-Forwarded-For",
            "a",
            "a1",
            "-a",
            "a-",
            "a--1--2--b",
            "--abc-123",
            "--123-ABC"),
        names(
            "PORT_NAME",
            "telnet",
            "re-mail-ck",
            "pop3",
            "a",
            "a-1",
            "1-a",
            "a-1-b-2-c",
            "1-a-2-b-3",
            a(15)),
        names("PERCENT", "0%", "00000%", "1%", "01%", "99%", "100%", "101%"),
        names(
            "PATH_SEGMENT_NAME",
            "",
            "foo",
            "foo.bar.baz",
            "sha256:ABCDEF012345@ABCDEF012345",
            "Iñtërnâtiônàlizætiøn",
            ".test",
            "..test"),
        names("PATH_SEGMENT_PREFIX", "", "foo", ".", "..", ".test", "..test"),
        names(
            "FULLY_QUALIFIED_DOMAIN_NAME",
            "a.com",
            "k8s.io",
            "dev.k8s.io",
            "dev.k8s.io.",
            "foo.example.com",
            "this.is.a.really.long.fqdn",
            "bbc.co.uk",
            "10.0.0.1",
            "hyphens-are-good.k8s.io",
            a(63) + ".k8s.io",
            a(63) + "." + a(63) + "." + a(63) + "." + a(54) + ".k8s.io"),
        names(
            "FULLY_QUALIFIED_NAME",
            "dev.k8s.io",
            "foo.example.com",
            "bbc.co.uk",
            "10.0.0.1",
            a(246) + ".k8s.io"),
        names(
            "DOMAIN_PREFIXED_PATH",
            "a/b",
            "a/b/c/d",
            "a.com/foo",
            "a.b.c.d/foo",
            "k8s.io/foo/bar",
            "k8s.io/FOO/BAR",
            "this.is.a.really.long.fqdn/even/longer/path/just/because",
            "10.0.0.1/foo",
            "hyphens-are-good.k8s.io/and-in-paths-too",
            a(240) + ".k8s.io/a",
            "k8s.io/" + a(240)));
  }

  @ParameterizedTest
  @MethodSource("goodNames")
  void problems_ofAGoodName_areNone(NameRule rule, List<String> names) {
    assertThat(names)
        .allSatisfy(
            name -> {
              assertThat(rule.problems(name)).isEmpty();
              assertThat(rule.accepts(name)).isTrue();
              assertThat(rule.require("name", name)).isEqualTo(name);
            });
  }

  /** The same upstream tests as {@link #goodNames}. */
  static Stream<Arguments> badNames() {
    return Stream.of(
        names(
            "DNS1123_LABEL",
            "",
            "A",
            "ABC",
            "aBc",
            "A1",
            "A-1",
            "1-A",
            "-",
            "a-",
            "-a",
            "1-",
            "-1",
            "_",
            "a_",
            "_a",
            "a_b",
            "1_",
            "_1",
            "1_2",
            ".",
            "a.",
            ".a",
            "a.b",
            "1.",
            ".1",
            "1.2",
            " ",
            "a ",
            " a",
            "a b",
            "1 ",
            " 1",
            "1 2",
            a(64),
            "a\n",
            "é"),
        names(
            "DNS1123_SUBDOMAIN",
            "",
            "A",
            "aBc",
            "-",
            "a-",
            "-a",
            "_",
            "a_",
            "_a",
            "a_b",
            ".",
            "a.",
            ".a",
            "a..b",
            "1..2",
            " ",
            "a ",
            " a",
            "a b",
            "A.a",
            "aB.a",
            "ab.A",
            "a1.A",
            "0.A",
            "AA.BB.CC",
            "aa.bB.cc.dd.ee",
            "a@b",
            "a,b",
            "a;b",
            "a:b",
            "a%b",
            "a?b",
            "a$b",
            a(254),
            "a.b\n",
            "a.-b",
            "a-.b"),
        names(
            "DNS1123_SUBDOMAIN_WITH_UNDERSCORE",
            "",
            "Example.com",
            "-example.com",
            "example.com-",
            "example@.com",
            "example..com",
            "_",
            "__a",
            "a_",
            "a." + a(251) + ".com"),
        names(
            "WILDCARD_DNS1123_SUBDOMAIN",
            "*.*.bar.com",
            "*.foo.*.com",
            "*bar.com",
            "f*.bar.com",
            "*",
            "*.",
            "",
            "*." + a(252)),
        names(
            "DNS1035_LABEL",
            "0",
            "01",
            "1a",
            "1-a",
            "",
            "A",
            "aBc",
            "-",
            "a-",
            "-a",
            "_",
            "a_b",
            ".",
            "a.b",
            " ",
            "a b",
            a(64)),
        names(
            "LABEL_KEY",
            "",
            "nospecialchars%^=@",
            "cantendwithadash-",
            "-cantstartwithadash-",
            "only/one/slash",
            "Example.com/abc",
            "example_com/abc",
            "example.com/",
            "/simple",
            "/",
            "/example/foo",
            "example.com/_e",
            "example.com/e_",
            "example.com/e?",
            a(64),
            a(254) + "/abc",
            "x/" + a(64),
            "a\n"),
        names("PREFIXED_LABEL_KEY", "simple", "1234", "", "only/one/slash", "/simple", a(64)),
        names(
            "LABEL_VALUE",
            "nospecialchars%^=@",
            "Tama-nui-te-rā.is.Māori.sun",
            "\\backslashes\\are\\bad",
            "-starts-with-dash",
            "ends-with-dash-",
            ".starts.with.dot",
            "ends.with.dot.",
            a(64),
            "a\n",
            "\n"),
        names("C_IDENTIFIER", "", "1a", "a-b", "a.b", "é", "a b"),
        names("ENV_VAR_NAME", "", "1a", "a b", "a=", ".", "..", "..a", "é"),
        names(
            "RELAXED_ENV_VAR_NAME",
            "",
            "=",
            "a=",
            "1=a",
            "a=b",
            "#%=&&",
            "\u0001abc",
            "\u0082abc",
            "Ç ç",
            "Ä ä",
            "Ñ ñ",
            "Ø ø",
            "a\u007f"),
        names("CONFIG_MAP_KEY", "", ".", "..", "..bad", "b*d", "bad!&bad", a(254)),
        names(
            "HTTP_HEADER_NAME",
            "Host:",
            "X-Forwarded-For:",
            "X-@Home",
            "",
            "_",
            "a_",
            "a.b",
            " ",
            "a ",
            "#a#",
            "^",
            ",",
            ";",
            "=",
            "<",
            "?",
            "@",
            "{"),
        names(
            "PORT_NAME",
            "longerthan15characters",
            "",
            a(16),
            "12345",
            "1-2-3-4",
            "-begin",
            "end-",
            "two--hyphens",
            "whois++",
            "A"),
        names(
            "PERCENT", "", "0", "100", "0.0%", "99.9%", "hundred", " 1%", "1% ", "-0%", "-1%",
            "+1%", "%", "1%%"),
        names("PATH_SEGMENT_NAME", ".", "..", "foo/bar", "foo%bar", "%", "/"),
        names("PATH_SEGMENT_PREFIX", "foo/bar", "foo%bar"),
        names(
            "FULLY_QUALIFIED_DOMAIN_NAME",
            "",
            ".",
            "...",
            ".io",
            "com",
            ".com",
            "Dev.k8s.io",
            ".foo.example.com",
            "*.example.com",
            "underscores_are_bad.k8s.io",
            "foo@bar.example.com",
            "http://foo.example.com",
            a(64) + ".k8s.io",
            a(63) + "." + a(63) + "." + a(63) + "." + a(55) + ".k8s.io"),
        names(
            "FULLY_QUALIFIED_NAME",
            "",
            "...",
            "dev.k8s.io.",
            ".io",
            "Dev.k8s.io",
            "k8s.io",
            "*.example.com",
            "underscores_are_bad.k8s.io",
            "http://foo.example.com",
            a(247) + ".k8s.io"),
        names(
            "DOMAIN_PREFIXED_PATH",
            "",
            ".",
            "...",
            "/b",
            "com",
            ".com",
            "a.b.c.d/foo?a=b",
            "a.b.c.d/foo#a",
            "a/",
            "Dev.k8s.io",
            "example.com/foo{}[]@^`",
            "underscores_are_bad.k8s.io/foo",
            "foo@bar.example.com/foo",
            a(247) + ".k8s.io"));
  }

  @ParameterizedTest
  @MethodSource("badNames")
  void problems_ofABadName_sayWhatIsWrong(NameRule rule, List<String> names) {
    assertThat(names)
        .allSatisfy(
            name -> {
              assertThat(rule.problems(name)).isNotEmpty().allMatch(text -> text.contains("must "));
              assertThat(rule.accepts(name)).isFalse();
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> rule.require("the thing", name))
                  .withMessageStartingWith("the thing \"");
            });
  }

  @Test
  void problems_ofSeveralOffences_listsAll() {
    assertThat(NameRule.LABEL_KEY.problems("-" + a(300) + "/" + "?".repeat(64)))
        .satisfiesExactly(
            problem -> assertThat(problem).startsWith("prefix part must be no more than 253"),
            problem -> assertThat(problem).startsWith("prefix part must consist of"),
            problem -> assertThat(problem).startsWith("name part must be no more than 63"),
            problem -> assertThat(problem).startsWith("name part must consist of"));
    assertThat(NameRule.DNS1123_LABEL.problems("a.b")).containsExactly("must not contain dots");
    assertThat(NameRule.DNS1123_LABEL.problems("A.b").get(0)).contains("lower-case");
  }

  @Test
  void require_breach_isASentence() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NameRule.DNS1123_LABEL.require("namespace", "kube.system"))
        .withMessage("namespace \"kube.system\" must not contain dots");
  }

  /** Upstream: TestMaskTrailingDash. */
  @ParameterizedTest
  @CsvSource({"'',''", "-,-", "-foo,-foo", "-foo-,-foa", "b-,a", "ab,ab", "foo--,fooa"})
  void forPrefix_trailingDash_isMasked(String prefix, String masked) {
    List<String> asked = new ArrayList<>();
    NameRule recorder =
        name -> {
          asked.add(name);
          return List.of();
        };

    assertThat(recorder.forPrefix().accepts(prefix)).isTrue();
    assertThat(asked).containsExactly(masked);
  }

  @Test
  void forPrefix_ofALabel_acceptsATrailingDash() {
    assertThat(NameRule.DNS1123_LABEL.accepts("my-job-")).isFalse();
    assertThat(NameRule.DNS1123_LABEL.forPrefix().accepts("my-job-")).isTrue();
    assertThat(NameRule.DNS1123_LABEL.forPrefix().accepts("-")).isFalse();
  }

  @Test
  void problems_ofAnyText_endsWithoutAnException() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    String alphabet = "aA0-_./%*= \n\0é\uD83D\uDE00";
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(80); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      RULES.forEach(
          (name, rule) ->
              assertThat(rule.problems(text.toString()))
                  .as("seed %d, %s, %s", seed, name, text)
                  .isNotNull());
    }
    for (String text : List.of("a.".repeat(200_000), "-".repeat(200_000), "a/".repeat(200_000))) {
      RULES.values().forEach(rule -> assertThat(rule.problems(text)).isNotNull());
    }
  }
}
