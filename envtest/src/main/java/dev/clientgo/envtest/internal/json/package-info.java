/** JSON texts, JSON values as maps, and YAML read as JSON. */
package dev.clientgo.envtest.internal.json;
