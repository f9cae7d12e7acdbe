/**
 * Decides which classes are generated: gives each shape a class, and each class a name and a file.
 */
package dev.clientgo.gen.internal.model;
