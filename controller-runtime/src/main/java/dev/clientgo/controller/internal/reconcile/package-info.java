/** What guards reconciles: against functions that fail, against floods, and against time. */
package dev.clientgo.controller.internal.reconcile;
