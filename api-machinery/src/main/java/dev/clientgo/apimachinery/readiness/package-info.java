/** Whether objects of any kind do their work, by the rules of kstatus. */
package dev.clientgo.apimachinery.readiness;
