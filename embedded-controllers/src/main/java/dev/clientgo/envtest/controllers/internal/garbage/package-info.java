/** The garbage collector. */
package dev.clientgo.envtest.controllers.internal.garbage;
