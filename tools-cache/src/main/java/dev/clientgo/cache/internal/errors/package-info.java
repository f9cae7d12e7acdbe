/** Errors of the server, of objects and of users' metrics: recognizes, logs and counts them. */
package dev.clientgo.cache.internal.errors;
