/** The syntax of URLs, queries, headers and YAML. */
package dev.clientgo.rest.internal.text;
