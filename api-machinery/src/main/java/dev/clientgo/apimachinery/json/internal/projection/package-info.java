/** Trees of field names, and the position of a reader in one. */
package dev.clientgo.apimachinery.json.internal.projection;
