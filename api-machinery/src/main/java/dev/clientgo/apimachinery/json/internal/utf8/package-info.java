/**
 * The parts of the reader of JSON: a window on the stream, and scanners of what is in it. They know
 * no codecs and no types of the API.
 */
package dev.clientgo.apimachinery.json.internal.utf8;
