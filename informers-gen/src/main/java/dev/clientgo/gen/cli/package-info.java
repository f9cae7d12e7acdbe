/** The command line: {@code generate} and {@code distill}. */
package dev.clientgo.gen.cli;
