/** The parts of the reader of protobuf: field numbers, the wire format, values of special form. */
package dev.clientgo.apimachinery.json.internal.protobuf;
