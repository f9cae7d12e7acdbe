package dev.clientgo.envtest.internal.schema;

import dev.clientgo.apimachinery.json.JsonReader;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the unknown and duplicate fields in a JSON text, as a strict decoder does.
 *
 * <p>Corresponds to {@code UnmarshalStrict} of {@code sigs.k8s.io/json}.
 */
public final class StrictFieldCheck {

  private static final int MAX = 100;

  private final Set<String> problems = new LinkedHashSet<>();

  private StrictFieldCheck() {}

  /** Returns the errors, in the order of the text. */
  public static List<String> problems(byte[] json, KnownFields known) {
    StrictFieldCheck fields = new StrictFieldCheck();
    fields.check(JsonReader.of(json), "", known);
    return fields.problems.stream().limit(MAX).toList();
  }

  private void check(JsonReader in, String path, KnownFields known) {
    JsonReader.Token token = known.isOpaque() ? JsonReader.Token.NULL : in.peek();
    if (token == JsonReader.Token.OBJECT) {
      checkObject(in, path, known);
    } else if (token == JsonReader.Token.ARRAY) {
      in.beginArray();
      for (int i = 0; in.nextElement(); i++) {
        check(in, path + "[" + i + "]", known.items());
      }
    } else {
      in.skip();
    }
  }

  private void checkObject(JsonReader in, String path, KnownFields known) {
    Set<String> seen = new HashSet<>();
    in.beginObject();
    for (String name; (name = in.nextName()) != null; ) {
      String below = path.isEmpty() ? name : path + "." + name;
      KnownFields field = known.known(name);
      if (field == null) {
        problems.add("unknown field \"" + below + '"');
        in.skip();
      } else {
        if (!seen.add(name)) {
          problems.add("duplicate field \"" + below + '"');
        }
        check(in, below, field);
      }
    }
  }
}
