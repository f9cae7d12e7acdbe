package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.Layout;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.JavaFile;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the file of a type. */
public final class SourceWriter {

  private final TypeFile type;
  private final Layout layout;
  private final JavaFile file;
  private final Expressions expressions;

  private SourceWriter(TypeFile type, Layout layout) {
    this.type = type;
    this.layout = layout;
    Set<String> nested =
        type.nested().stream().map(each -> each.ref().simple()).collect(Collectors.toSet());
    this.file = new JavaFile(type.ref(), nested);
    this.expressions = new Expressions(file, type, layout);
  }

  /** Returns the text of the file. */
  public static String write(TypeFile type, Layout layout) {
    return new SourceWriter(type, layout).write();
  }

  /** Returns the text of the file {@code package-info}. */
  public static String packageInfo(String packageName, String javadoc) {
    return """
        /** %s */
        @org.jspecify.annotations.NullMarked
        package %s;
        """
        .formatted(javadoc, packageName);
  }

  private String write() {
    String modifiers = "@" + file.library("Generated") + "(\"dev.clientgo.gen\")\npublic";
    if (type.root() instanceof Shape.Enumeration enumeration) {
      return file.text(EnumWriter.write(file, modifiers, type.ref().name(), enumeration));
    }
    ObjectClass object =
        ObjectClass.of(
            type.ref().name(),
            (Shape.Struct) type.root(),
            type.resource(),
            type.reference(),
            layout.hasEmpty(type.ref()));
    List<String> nested = type.nested().stream().map(this::nested).toList();
    return file.text(new ObjectWriter(file, expressions, object).write(modifiers, nested));
  }

  private String nested(TypeFile.Nested each) {
    String name = each.ref().simple();
    return each.shape() instanceof Shape.Struct struct
        ? new ObjectWriter(
                file,
                expressions,
                ObjectClass.of(name, struct, null, null, layout.hasEmpty(each.ref())))
            .write("public static", List.of())
        : EnumWriter.write(file, "public static", name, (Shape.Enumeration) each.shape());
  }
}
