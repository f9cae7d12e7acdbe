/** Talking to an API server: where it is, who we are, and requests. */
package dev.clientgo.rest;
