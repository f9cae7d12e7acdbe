/** Discovery, version and health. */
package dev.clientgo.envtest.internal.discovery;
