package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.source.JavaFile;
import java.util.List;

/** Writes the parts of a class that a record has by itself. */
final class WideClass {

  private final JavaFile file;
  private final Expressions types;
  private final ObjectClass type;

  WideClass(JavaFile file, Expressions types, ObjectClass type) {
    this.file = file;
    this.types = types;
    this.type = type;
  }

  /** Returns the fields. */
  List<String> fields() {
    return type.members().stream()
        .map(each -> "private final " + types.type(each) + " " + each.name() + ";")
        .toList();
  }

  /** Returns the constructor, and equality by value. */
  String methods() {
    return file.template(
            """
            private ${class}(Builder builder) {
              ${copies}
            }

            private static @${Nullable} Object[] values(${class} value) {
              return new Object[] {
                ${values}
              };
            }

            @Override
            public boolean equals(@${Nullable} Object other) {
              return other instanceof ${class} that && ${Arrays}.equals(values(this), values(that));
            }

            @Override
            public int hashCode() {
              return ${Arrays}.hashCode(values(this));
            }

            @Override
            public String toString() {
              return "${class}" + ${Arrays}.toString(values(this));
            }
            """)
        .set("class", type.name())
        .lines("copies", type.members(), this::copy)
        .lines("values", type.members(), each -> "value." + each.name() + ",")
        .fill();
  }

  private String copy(Member member) {
    String value = "builder." + member.name();
    String kept = types.kept(member, value);
    return "this." + member.name() + " = " + (kept.isEmpty() ? value : kept) + ";";
  }
}
