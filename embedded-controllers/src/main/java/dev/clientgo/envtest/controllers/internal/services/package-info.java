/** The endpoints of services. */
package dev.clientgo.envtest.controllers.internal.services;
