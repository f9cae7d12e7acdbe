/** The handlers of the verbs and subresources, and the router that calls them. */
package dev.clientgo.envtest.internal.verbs;
