/** The command line of crd-gen. */
package dev.clientgo.crd.cli;
