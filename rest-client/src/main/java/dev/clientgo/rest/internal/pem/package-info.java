/** PEM files: certificates, private keys, and trust in certificates. */
package dev.clientgo.rest.internal.pem;
