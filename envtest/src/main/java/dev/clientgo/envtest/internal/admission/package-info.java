/** Admission webhooks: which ones a request concerns, and what they answer. */
package dev.clientgo.envtest.internal.admission;
