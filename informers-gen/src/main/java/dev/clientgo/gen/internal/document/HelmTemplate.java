package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Report;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A document of a Helm chart that is not YAML before Helm renders it. Immutable. */
public final class HelmTemplate {

  /** Explains to the user how to render a template. */
  public static final String RENDER =
      "render it first, for example with \"helm template CHART --include-crds > crds.yaml\"";

  /** Reports to the user that a template is skipped. */
  static final String SKIPPED = "it names no CustomResourceDefinition: skipped";

  /** An action instead of a YAML value or line; within a quoted text it is plain text. */
  private static final Pattern ACTION_AS_YAML =
      Pattern.compile("^[ \\t]*(- +)?([^\\s\"'{]+: +)?(\\{\\{.*?(\\}\\}|$))", Pattern.MULTILINE);

  private final String action;
  private final int line;
  private final boolean crd;

  private HelmTemplate(String action, int line, boolean crd) {
    this.action = action;
    this.line = line;
    this.crd = crd;
  }

  /** Returns the first action of a document that is not YAML, null if it has none. */
  static @Nullable HelmTemplate find(String document) {
    Matcher action = ACTION_AS_YAML.matcher(document);
    if (!action.find()) {
      return null;
    }
    int line = (int) document.substring(0, action.start(3)).lines().count();
    return new HelmTemplate(
        action.group(3), Math.max(1, line), document.contains("CustomResourceDefinition"));
  }

  /** Returns whether a value has an action that Helm has not rendered. */
  public static boolean isUnrendered(String value) {
    return value.contains("{{");
  }

  /** Returns whether the text of the template names a CRD. */
  boolean hasCrd() {
    return crd;
  }

  /** Returns the problem, with the line of the first action. */
  Report.Problem describe(String file, int firstLine, String consequence) {
    return new Report.Problem(
        file,
        firstLine + line,
        "",
        "is a Helm template, not YAML, since it has " + action + "; " + consequence);
  }
}
