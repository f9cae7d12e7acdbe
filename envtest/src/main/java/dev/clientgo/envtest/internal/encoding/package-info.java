/** Objects, lists and watch events as the JSON that the client accepts. */
package dev.clientgo.envtest.internal.encoding;
