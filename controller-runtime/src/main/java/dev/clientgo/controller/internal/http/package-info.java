/** The pages of a manager over HTTP. */
package dev.clientgo.controller.internal.http;
