/** The controller of DaemonSets. */
package dev.clientgo.envtest.controllers.internal.daemons;
