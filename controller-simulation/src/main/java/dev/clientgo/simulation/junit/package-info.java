/** Simulations as tests of JUnit: each plan is a test. */
package dev.clientgo.simulation.junit;
