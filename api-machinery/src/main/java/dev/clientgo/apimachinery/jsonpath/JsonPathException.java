package dev.clientgo.apimachinery.jsonpath;

/** A template is not valid, or does not match the document that it is applied to. */
public final class JsonPathException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  JsonPathException(String message) {
    super(message);
  }
}
