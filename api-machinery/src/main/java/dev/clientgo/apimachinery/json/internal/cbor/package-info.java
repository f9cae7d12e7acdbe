/** The reading of single data items of CBOR (RFC 8949): heads, tags, numbers, strings. */
package dev.clientgo.apimachinery.json.internal.cbor;
