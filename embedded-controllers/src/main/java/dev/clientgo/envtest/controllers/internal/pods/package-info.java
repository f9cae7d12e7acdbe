/** Pods as their owners see them: whether they are ready, who owns them, how they are made. */
package dev.clientgo.envtest.controllers.internal.pods;
