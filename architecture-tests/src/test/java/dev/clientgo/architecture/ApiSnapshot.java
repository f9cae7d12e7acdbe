package dev.clientgo.architecture;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The API of classes as text: a line for each public type and, indented, one for each member that
 * another module can use, in a fixed order. Whatever such a module could notice is part of its
 * line: modifiers, bounds, nullability, thrown exceptions, and whether a method has a body.
 */
final class ApiSnapshot {

  private static final Pattern ANNOTATION =
      Pattern.compile("@org\\.jspecify\\.annotations\\.(\\w+)(?:\\(\\))?");
  private static final Pattern OTHER_ANNOTATION =
      Pattern.compile("@[a-z]\\w*(?:\\.\\w+)+(?:\\([^)]*\\))? ?");
  private static final Pattern JAVA_LANG = Pattern.compile("\\bjava\\.lang\\.(?=[A-Z@])");

  private static final Set<String> OF_EACH_OBJECT = Set.of("equals", "hashCode", "toString");

  private ApiSnapshot() {}

  /** Returns the lines of the types, of which those that are not public are left out. */
  static List<String> of(Stream<Class<?>> types) {
    Map<String, Class<?>> sorted = new TreeMap<>();
    types.forEach(type -> collect(type, sorted));
    List<String> lines = new ArrayList<>();
    sorted.values().forEach(type -> addType(type, lines));
    return lines;
  }

  /** Returns the lines of one type, whether it is public or not. */
  static List<String> of(Class<?> type) {
    List<String> lines = new ArrayList<>();
    addType(type, lines);
    return lines;
  }

  private static void collect(Class<?> type, Map<String, Class<?>> found) {
    if (isVisible(type.getModifiers())) {
      found.put(type.getName(), type);
      for (Class<?> nested : type.getDeclaredClasses()) {
        collect(nested, found);
      }
    }
  }

  private static void addType(Class<?> type, List<String> lines) {
    lines.add(header(type));
    Set<String> members = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (isMember(field)) {
        members.add(
            modifiers(field.getModifiers())
                + text(field.getAnnotatedType())
                + " "
                + field.getName());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isMember(constructor)) {
        members.add(modifiers(constructor.getModifiers()) + "new" + parameters(constructor));
      }
    }
    methods(type).filter(ApiSnapshot::isMember).map(ApiSnapshot::method).forEach(members::add);
    members.forEach(member -> lines.add("  " + member));
  }

  /** Returns the methods of a type, with those that it has from types that are not public. */
  private static Stream<Method> methods(Class<?> type) {
    Stream<Method> own = Arrays.stream(type.getDeclaredMethods());
    Class<?> parent = type.getSuperclass();
    Stream<Class<?>> hidden =
        Stream.concat(Stream.ofNullable(parent), Arrays.stream(type.getInterfaces()))
            .filter(above -> above.getName().startsWith("dev.clientgo."))
            .filter(above -> !isVisible(above.getModifiers()));
    return Stream.concat(own, hidden.flatMap(ApiSnapshot::methods));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isMember(Member member) {
    int modifiers = member.getModifiers();
    boolean hasSubclasses = !Modifier.isFinal(member.getDeclaringClass().getModifiers());
    return !member.isSynthetic()
        && !OF_EACH_OBJECT.contains(member.getName())
        && (Modifier.isPublic(modifiers) || (Modifier.isProtected(modifiers) && hasSubclasses));
  }

  private static String header(Class<?> type) {
    String kind =
        type.isAnnotation()
            ? "@interface "
            : type.isInterface()
                ? "interface "
                : type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ";
    int modifiers = type.getModifiers() & ~Modifier.INTERFACE & ~Modifier.PUBLIC;
    if (type.isInterface() || type.isEnum() || type.isRecord()) {
      modifiers &= ~(Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL);
    }
    String parent =
        type.isInterface()
                || type.isEnum()
                || type.isRecord()
                || type.getSuperclass() == Object.class
            ? ""
            : " extends " + text(type.getAnnotatedSuperclass());
    List<String> interfaces =
        Arrays.stream(type.getAnnotatedInterfaces()).map(ApiSnapshot::text).sorted().toList();
    return modifiers(modifiers)
        + (type.isSealed() ? "sealed " : "")
        + kind
        + type.getName()
        + bounds(type.getTypeParameters())
        + parent
        + (interfaces.isEmpty() ? "" : " : " + String.join(", ", interfaces));
  }

  private static String method(Method method) {
    boolean ofInterface = method.getDeclaringClass().isInterface();
    String body = method.isDefault() ? "default " : "";
    int modifiers = method.getModifiers() & ~(ofInterface ? Modifier.PUBLIC : 0);
    String bounds = bounds(method.getTypeParameters());
    return modifiers(modifiers)
        + body
        + (bounds.isEmpty() ? "" : bounds + " ")
        + text(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + parameters(method);
  }

  private static String parameters(Executable executable) {
    Parameter[] parameters = executable.getParameters();
    AnnotatedType[] thrown = executable.getAnnotatedExceptionTypes();
    return list(parameters, ", ", "(", ")", p -> text(p.getAnnotatedType()))
        + (thrown.length == 0 ? "" : list(thrown, ", ", " throws ", "", ApiSnapshot::text));
  }

  private static String bounds(TypeVariable<?>[] variables) {
    return variables.length == 0 ? "" : list(variables, ", ", "<", ">", ApiSnapshot::bound);
  }

  private static String bound(TypeVariable<?> variable) {
    String bounds = list(variable.getAnnotatedBounds(), " & ", "", "", ApiSnapshot::text);
    return variable.getName() + (bounds.equals("Object") ? "" : " extends " + bounds);
  }

  private static <T> String list(
      T[] values, String separator, String begin, String end, Function<T, String> text) {
    return Arrays.stream(values).map(text).collect(Collectors.joining(separator, begin, end));
  }

  private static String text(AnnotatedType type) {
    String text = ANNOTATION.matcher(type.toString()).replaceAll("@$1");
    return JAVA_LANG.matcher(OTHER_ANNOTATION.matcher(text).replaceAll("")).replaceAll("");
  }

  /** Leaves out what no caller notices: public, which goes without saying, and native. */
  private static String modifiers(int modifiers) {
    int noticed =
        modifiers & (Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL);
    return noticed == 0 ? "" : Modifier.toString(noticed) + " ";
  }
}
