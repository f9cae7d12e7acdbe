/**
 * Names, and what is allowed in them.
 *
 * <p>An object's name becomes a segment of a URL, a label value is compared by selectors, the key
 * of a ConfigMap becomes a file, the name of a service a host name. So the API server accepts each
 * only in a certain form, and answers 422 to any other. A {@link
 * dev.clientgo.apimachinery.validation.NameRule} is such a form as a value:
 *
 * <pre>{@code
 * NameRule.DNS1123_LABEL.accepts("my-namespace"); // true
 * NameRule.LABEL_KEY.problems("-x"); // ["name part must consist of letters, digits, …"]
 * NameRule.LABEL_VALUE.require("value of label app", userInput); // or an error that says why
 * NameRule.DNS1123_SUBDOMAIN.forPrefix().accepts("my-job-"); // true: for a generateName
 * }</pre>
 *
 * <p>The rules look at one text alone. Whether a field must be set, whether a name is taken, only
 * the server knows.
 */
package dev.clientgo.apimachinery.validation;
