package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.ClassRef;
import dev.clientgo.gen.internal.model.Layout;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.shape.Shape;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the file of a type. */
public final class SourceWriter {

  private SourceWriter() {}

  public static String write(TypeFile type, Layout layout) {
    Set<String> nested =
        type.nested().stream().map(each -> each.ref().simple()).collect(Collectors.toSet());
    JavaFile file = new JavaFile(type.ref(), nested);
    TypeNames names =
        new TypeNames() {
          @Override
          public ClassRef refOf(Shape shape) {
            return SourceWriter.refOf(type, layout, shape);
          }

          @Override
          public boolean isCondition(Shape shape) {
            return layout.isCondition(shape);
          }
        };
    if (type.root() instanceof Shape.Enumeration enumeration) {
      EnumWriter.writeTop(file, type.ref().name(), enumeration);
      return file.text();
    }
    Shape.Struct root = (Shape.Struct) type.root();
    new RecordWriter(file, names, type.ref().name(), root, type.resource())
        .reference(type.reference())
        .write(
            () -> {
              for (TypeFile.Nested each : type.nested()) {
                if (each.shape() instanceof Shape.Struct struct) {
                  file.blank();
                  new RecordWriter(file, names, each.ref().simple(), struct, null)
                      .nested()
                      .write(() -> {});
                } else if (each.shape() instanceof Shape.Enumeration enumeration) {
                  EnumWriter.write(file, each.ref().simple(), enumeration);
                }
              }
            });
    return file.text();
  }

  private static ClassRef refOf(TypeFile type, Layout layout, Shape shape) {
    if (shape instanceof Shape.Known known) {
      return ClassRef.of(known.className());
    }
    ClassRef ref =
        shape instanceof Shape.Named named ? layout.refOf(named.name()) : type.refOf(shape);
    if (ref == null) {
      throw new IllegalStateException("no class for " + shape);
    }
    return ref;
  }
}
