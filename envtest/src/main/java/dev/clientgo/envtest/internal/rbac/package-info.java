/** Reads who asks for what, and decides whether roles permit it. */
package dev.clientgo.envtest.internal.rbac;
