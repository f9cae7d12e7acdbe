/**
 * The script by which the pods of an embedded server run: when they start and become ready, and how
 * they end.
 */
package dev.clientgo.envtest.controllers.pods;
