package dev.clientgo.apimachinery.restmapper;

/** A mapper cannot say what was asked for. */
public abstract sealed class MappingException extends IllegalArgumentException
    permits NoMatchException, AmbiguousMatchException {

  private static final long serialVersionUID = 1;

  MappingException(String message) {
    super(message);
  }
}
