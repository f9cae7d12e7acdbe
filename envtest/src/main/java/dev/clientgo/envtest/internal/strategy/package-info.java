/** The fields that the server sets when an object is created or updated, and its validation. */
package dev.clientgo.envtest.internal.strategy;
