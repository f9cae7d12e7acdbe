/**
 * One request over HTTP: path, headers and body, retries, the OkHttp transport, the response and
 * its errors, and the watch that reads from it.
 */
package dev.clientgo.rest.internal.http;
