package dev.clientgo.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * Bars in SVG, one below the other: the scores of one suite. Where one is so much greater that
 * others could not be seen, each factor of ten has the same length.
 */
final class BarChart {

  private static final int WIDTH = 960;
  private static final int LEFT = 490;
  private static final int RIGHT = 110;
  private static final int TOP = 50;
  private static final int ROW = 24;
  private static final double HARDLY_SEEN = 1.0 / 50;

  private final String title;
  private final List<Figure> figures;

  BarChart(String title, List<Figure> figures) {
    this.title = title;
    this.figures = List.copyOf(figures);
  }

  /** Returns the document. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    double longest = figures.stream().mapToDouble(Figure::value).max().orElse(1);
    double shortest = figures.stream().mapToDouble(Figure::value).min().orElse(1);
    boolean decades = shortest > 0 && shortest < longest * HARDLY_SEEN;
    Svg.open(
        svg,
        WIDTH,
        TOP + ROW * figures.size() + 20,
        decades ? title + ", on a logarithmic scale" : title);
    for (int i = 0; i < figures.size(); i++) {
      Figure figure = figures.get(i);
      double y = TOP + i * ROW;
      double share =
          decades
              ? (1 + Math.log10(figure.value() / shortest)) / (1 + Math.log10(longest / shortest))
              : figure.value() / longest;
      double length = share * (WIDTH - LEFT - RIGHT);
      Svg.text(svg, LEFT - 8, y + 15, "end", figure.benchmark());
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect x='%d' y='%.0f' width='%.1f' height='%d' fill='#1f77b4'/>%n",
              LEFT,
              y + 2,
              length,
              ROW - 6));
      Svg.text(svg, LEFT + length + 6, y + 15, "start", figure.text());
    }
    return svg.append("</svg>\n").toString();
  }
}
