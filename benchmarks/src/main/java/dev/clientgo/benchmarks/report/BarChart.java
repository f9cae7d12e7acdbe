package dev.clientgo.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** Bars in SVG, one below the other: the scores of one suite. */
final class BarChart {

  private static final int WIDTH = 900;
  private static final int LEFT = 430;
  private static final int RIGHT = 110;
  private static final int TOP = 50;
  private static final int ROW = 24;

  private final String title;
  private final List<Figure> figures;

  BarChart(String title, List<Figure> figures) {
    this.title = title;
    this.figures = List.copyOf(figures);
  }

  /** Returns the document. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    Svg.open(svg, WIDTH, TOP + ROW * figures.size() + 20, title);
    double longest = figures.stream().mapToDouble(Figure::value).max().orElse(1);
    for (int i = 0; i < figures.size(); i++) {
      Figure figure = figures.get(i);
      double y = TOP + i * ROW;
      double length = figure.value() / longest * (WIDTH - LEFT - RIGHT);
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
