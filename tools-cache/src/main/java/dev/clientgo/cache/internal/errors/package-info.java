/** Recognizes errors of the server. */
package dev.clientgo.cache.internal.errors;
