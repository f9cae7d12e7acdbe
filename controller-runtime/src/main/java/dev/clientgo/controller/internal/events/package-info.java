/** The recorders of Kubernetes events that a manager gives to its parts. */
package dev.clientgo.controller.internal.events;
