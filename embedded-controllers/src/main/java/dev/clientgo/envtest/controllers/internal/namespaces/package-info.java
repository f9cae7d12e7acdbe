/** The life of namespaces, and the objects that each namespace has. */
package dev.clientgo.envtest.controllers.internal.namespaces;
