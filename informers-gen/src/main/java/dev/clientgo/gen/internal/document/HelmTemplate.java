package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Problem;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A document of a Helm chart that is not YAML before Helm renders it. Immutable. */
public final class HelmTemplate {

  /** Says what the user can do about a template. */
  public static final String RENDER =
      "render it first, for example with \"helm template CHART --include-crds > crds.yaml\"";

  /** Says that a template is left out. */
  static final String SKIPPED = "it names no CustomResourceDefinition: skipped";

  private static final Pattern ACTION = Pattern.compile("\\{\\{.*?(\\}\\}|$)");

  /** An action where YAML has a value or a line of its own: in a text it would be plain text. */
  private static final Pattern ACTION_AS_YAML =
      Pattern.compile("^\\s*(- +)?([^\\s\"'{]+: +)?(\\{\\{.*?(\\}\\}|$))", Pattern.MULTILINE);

  private final String action;
  private final int line;
  private final boolean crd;

  private HelmTemplate(String action, int line, boolean crd) {
    this.action = action;
    this.line = line;
    this.crd = crd;
  }

  /** Returns what makes a document that is not YAML a template, null if it is none. */
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
    return ACTION.matcher(value).find();
  }

  /** Returns whether the template makes a CRD, as far as its text shows it. */
  boolean hasCrd() {
    return crd;
  }

  /** Returns what the document is, where that shows, and what follows from it. */
  Problem describe(String file, int firstLine, String consequence) {
    return new Problem(
        file,
        firstLine + line,
        "",
        "is a Helm template, not YAML, since it has " + action + "; " + consequence);
  }
}
