package dev.clientgo.controller;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.util.List;

/** Children of an owner could not be applied. The message names each, with the reason. */
public final class ChildrenException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ChildrenException(String message, List<KubernetesException> errors) {
    super(message, errors.isEmpty() ? null : errors.get(0));
    errors.stream().skip(1).forEach(this::addSuppressed);
  }
}
