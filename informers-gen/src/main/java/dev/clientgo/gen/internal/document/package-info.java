/** Reads YAML and JSON files into trees whose nodes know their file, line and path. */
package dev.clientgo.gen.internal.document;
