/** Recognizes errors of the server, and keeps those of users' metrics away from informers. */
package dev.clientgo.cache.internal.errors;
