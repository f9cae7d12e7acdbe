/** Calls webhooks, of admission and of conversion. */
package dev.clientgo.envtest.internal.webhooks;
