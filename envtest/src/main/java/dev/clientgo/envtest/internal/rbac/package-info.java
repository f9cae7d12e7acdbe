/** Who asks for what, and whether roles permit it. */
package dev.clientgo.envtest.internal.rbac;
