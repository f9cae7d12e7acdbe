/** Credentials: tokens, token files, client certificates, exec plugins and OpenID Connect. */
package dev.clientgo.rest.internal.auth;
