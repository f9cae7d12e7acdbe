package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Generated code, compiled in memory as strictly as the compiler can be told, and loaded. */
final class Compiled {

  private final ClassLoader loader;

  private Compiled(ClassLoader loader) {
    this.loader = loader;
  }

  /** Compiles all files of a generation; fails on any warning. */
  static Compiled of(Generation generation) {
    return of(generation.files());
  }

  static Compiled of(Map<String, String> files) {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    Output output = new Output(javac.getStandardFileManager(diagnostics, null, UTF_8));
    List<JavaFileObject> sources = new ArrayList<>();
    files.forEach((path, text) -> sources.add(new Source(path, text)));
    // "processing" warns of annotations that no processor claims, in any code that has one.
    List<String> options =
        List.of(
            "-Xlint:all,-processing",
            "-Xdoclint:all,-missing",
            "-Werror",
            "-encoding",
            "US-ASCII",
            "-Xmaxerrs",
            "5",
            "-proc:none");
    boolean ok = javac.getTask(null, output, diagnostics, options, null, sources).call();
    assertThat(diagnostics.getDiagnostics()).isEmpty();
    assertThat(ok).isTrue();
    return new Compiled(output.loader());
  }

  /** Reads and writes a value with the codec of a generated class. */
  String roundTrip(String className, String json) {
    byte[] bytes = write(className, read(className, json));
    return new String(bytes, UTF_8);
  }

  /** Reads a value with the codec of a generated class. */
  Object read(String className, String json) {
    return codec(className).read(JsonReader.of(json.getBytes(UTF_8)));
  }

  private byte[] write(String className, Object value) {
    return JsonWriter.toBytes(codec(className), value);
  }

  @SuppressWarnings("unchecked")
  private JsonCodec<Object> codec(String className) {
    try {
      return (JsonCodec<Object>) type(className).getField("CODEC").get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(className, e);
    }
  }

  /** Returns a generated class by its binary name. */
  Class<?> type(String className) {
    try {
      return Class.forName(className, true, loader);
    } catch (ClassNotFoundException e) {
      throw new LinkageError(className, e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String path, String text) {
      super(URI.create("string:///" + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {

    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    Output(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + className + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() throws IOException {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          classes.put(className, bytes);
          return bytes;
        }
      };
    }

    ClassLoader loader() {
      return new ClassLoader(Compiled.class.getClassLoader()) {
        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
          ByteArrayOutputStream bytes = classes.get(name);
          if (bytes == null) {
            throw new ClassNotFoundException(name);
          }
          return defineClass(name, bytes.toByteArray(), 0, bytes.size());
        }
      };
    }
  }
}
