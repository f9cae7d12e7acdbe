/**
 * Rules for names and other short texts.
 *
 * <p>The name of an object becomes a segment of a URL, selectors compare label values, the key of a
 * ConfigMap becomes the name of a file, the name of a service becomes a host name. So the API
 * server accepts each text only in a certain form, and answers 422 to any other. A {@link
 * dev.clientgo.apimachinery.validation.NameRule} checks such a form:
 *
 * <pre>{@code
 * NameRule.DNS1123_LABEL.accepts("my-namespace"); // true
 * NameRule.LABEL_KEY.problems("-x"); // ["name part must consist of letters, digits, …"]
 * NameRule.LABEL_VALUE.require("value of label app", userInput); // or an error with the reason
 * NameRule.DNS1123_SUBDOMAIN.forPrefix().accepts("my-job-"); // true: for a generateName
 * }</pre>
 *
 * <p>A rule checks only one text. Only the server knows whether a field must be set, or whether a
 * name is already in use.
 */
package dev.clientgo.apimachinery.validation;
