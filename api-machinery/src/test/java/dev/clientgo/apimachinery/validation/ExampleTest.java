package dev.clientgo.apimachinery.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_rules_acceptAndExplain() {
    String userInput = "web";

    NameRule.DNS1123_LABEL.accepts("my-namespace"); // true
    NameRule.LABEL_KEY.problems("-x"); // ["name part must consist of letters, digits, …"]
    NameRule.LABEL_VALUE.require("value of label app", userInput); // or an error with the reason
    NameRule.DNS1123_SUBDOMAIN.forPrefix().accepts("my-job-"); // true: for a generateName

    assertThat(NameRule.DNS1123_LABEL.accepts("my-namespace")).isTrue();
    assertThat(NameRule.LABEL_KEY.problems("-x"))
        .singleElement()
        .asString()
        .startsWith("name part must consist of letters, digits, ");
    assertThat(NameRule.DNS1123_SUBDOMAIN.forPrefix().accepts("my-job-")).isTrue();
  }
}
