/** Server-side apply and the tracking of field managers. */
package dev.clientgo.envtest.internal.apply;
