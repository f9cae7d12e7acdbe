package dev.clientgo.gen.internal.model;

/**
 * The name of a class: its package and its name within it, such as {@code Issuer.Vault}.
 *
 * @param packageName the package
 * @param name the name with those of the classes around it, joined by dots
 */
public record ClassRef(String packageName, String name) {

  /** Returns the reference for a canonical name; packages are taken to begin in lower case. */
  public static ClassRef of(String canonical) {
    int start = 0;
    while (!Character.isUpperCase(canonical.charAt(start)) && canonical.indexOf('.', start) >= 0) {
      start = canonical.indexOf('.', start) + 1;
    }
    return new ClassRef(
        start == 0 ? "" : canonical.substring(0, start - 1), canonical.substring(start));
  }

  /** Returns the class in whose file this one stands. */
  public String top() {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** Returns the last part of the name. */
  public String simple() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns the class of that name within this one. */
  ClassRef nested(String simpleName) {
    return new ClassRef(packageName, name + "." + simpleName);
  }

  /** Returns the canonical name. */
  public String canonical() {
    return packageName.isEmpty() ? name : packageName + "." + name;
  }
}
