/** The use of resource quotas. */
package dev.clientgo.envtest.controllers.internal.quota;
