/** The errors of the API, with the reasons, details and texts of kube-apiserver. */
package dev.clientgo.envtest.internal.errors;
