package dev.clientgo.benchmarks.report;

import java.util.Locale;

/** The pieces that all plots have. */
final class Svg {

  private Svg() {}

  static void open(StringBuilder svg, int width, int height, String title) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
                + " font-size='12'>%n<rect width='100%%' height='100%%' fill='white'/>%n",
            width,
            height));
    svg.append("<g font-size='15' font-weight='bold'>");
    text(svg, width / 2.0, 22, "middle", title);
    svg.append("</g>\n");
  }

  static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>%n",
            x,
            y,
            anchor,
            escaped));
  }

  /** Returns a number as one reads it. */
  static String number(double value) {
    return value >= 10 || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.2g", value);
  }
}
