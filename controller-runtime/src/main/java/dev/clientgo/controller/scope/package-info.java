/** Which objects of a kind the caches of a manager have. */
package dev.clientgo.controller.scope;
