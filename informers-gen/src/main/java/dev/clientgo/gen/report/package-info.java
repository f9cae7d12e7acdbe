/** The results of a run: the classes that were generated, and the input that could not be used. */
package dev.clientgo.gen.report;
