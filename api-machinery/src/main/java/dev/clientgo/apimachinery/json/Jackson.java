package dev.clientgo.apimachinery.json;

import tools.jackson.core.ErrorReportConfiguration;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** How this library uses Jackson's streaming parser and generator. */
final class Jackson {

  /** Longer strings are refused: a bound against memory exhaustion, far above any real object. */
  static final int MAX_STRING_CHARS = 64 << 20;

  /** Longer numbers are refused: conversion takes time that grows with the square of the length. */
  static final int MAX_NUMBER_CHARS = 1000;

  /** Longer field names are refused. */
  static final int MAX_NAME_CHARS = 50_000;

  /*
   * CHARSET_DETECTION would make a new parser wait for four bytes; the API speaks UTF-8 alone.
   * FAIL_ON_SYMBOL_HASH_OVERFLOW would let whoever can name a field end every watch that sees it;
   * without it, names that collide are merely not remembered. The error token length bounds how
   * much of a document, which may be a Secret, an error message can show.
   */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(JsonReader.MAX_DEPTH)
                  .maxStringLength(MAX_STRING_CHARS)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .build())
          .errorReportConfiguration(
              ErrorReportConfiguration.builder().maxErrorTokenLength(16).build())
          .build();

  private Jackson() {}
}
