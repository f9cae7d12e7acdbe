/** The HTTPS server of webhooks, its certificates, and the time limits of its calls. */
package dev.clientgo.controller.internal.webhook;
