/** The controller of StatefulSets. */
package dev.clientgo.envtest.controllers.internal.statefulsets;
