/** The syntax of URLs, queries and headers. */
package dev.clientgo.rest.internal.text;
