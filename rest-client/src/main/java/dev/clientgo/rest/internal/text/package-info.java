/** The syntax of URLs, queries and headers, and the files of a configuration. */
package dev.clientgo.rest.internal.text;
