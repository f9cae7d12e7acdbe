/** What this process has applied, so that it need not apply it again. */
package dev.clientgo.controller.internal.apply;
