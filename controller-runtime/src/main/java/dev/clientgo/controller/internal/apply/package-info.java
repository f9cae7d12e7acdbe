/** The configurations that this process has applied, so that it need not apply them again. */
package dev.clientgo.controller.internal.apply;
