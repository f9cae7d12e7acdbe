package dev.clientgo.kubernetes;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Calls the methods of generated code of which a test that is driven by discovery has no names. */
final class Accessors {

  private Accessors() {}

  /** Returns what all paths {@code root.group().version().resource()} lead to. */
  static <T> List<T> leaves(Object root, Class<? super T> type) {
    List<T> leaves = new ArrayList<>();
    for (Method group : getters(root)) {
      if (group.getReturnType().getEnclosingClass() != root.getClass()) {
        continue;
      }
      Object versions = call(root, group);
      for (Method version : getters(versions)) {
        Object resources = call(versions, version);
        for (Method resource : getters(resources)) {
          if (resource.getReturnType() == type) {
            @SuppressWarnings("unchecked") // It has been checked, but for the arguments.
            T leaf = (T) call(resources, resource);
            leaves.add(leaf);
          }
        }
      }
    }
    return leaves;
  }

  private static List<Method> getters(Object object) {
    return java.util.Arrays.stream(object.getClass().getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() == 0)
        .toList();
  }

  /** Returns a copy of a generated object with another value of one field. */
  static <T> T with(T object, String field, Object value) {
    @SuppressWarnings("unchecked") // The builder of a type builds it.
    T built = (T) build(call(object, "toBuilder"), field, value);
    return built;
  }

  /** Returns an object of the same type with one field. */
  static <T> T only(T like, String field, Object value) {
    @SuppressWarnings("unchecked") // The builder of a type builds it.
    T built = (T) build(callStatic(like.getClass(), "builder"), field, value);
    return built;
  }

  private static Object build(Object builder, String field, Object value) {
    for (Method setter : builder.getClass().getMethods()) {
      if (setter.getName().equals(field)
          && setter.getParameterCount() == 1
          && setter.getParameterTypes()[0].isInstance(value)) {
        call(builder, setter, value);
      }
    }
    return call(builder, "build");
  }

  /** Calls a method that takes no arguments. */
  static Object call(Object object, String method) {
    try {
      return call(object, object.getClass().getMethod(method));
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private static Object callStatic(Class<?> type, String method) {
    try {
      return type.getMethod(method).invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type + "." + method, e);
    }
  }

  private static Object call(Object object, Method method, Object... arguments) {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw new AssertionError(method + " failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
