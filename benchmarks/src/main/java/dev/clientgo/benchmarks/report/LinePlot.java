package dev.clientgo.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A line in SVG: how a figure grows with the work, both on logarithmic scales. */
final class LinePlot {

  /** A measured point. */
  record Point(double x, double y) {}

  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 90;
  private static final int BOTTOM = 60;
  private static final int TOP = 50;
  private static final int RIGHT = 30;

  private final String title;
  private final String xName;
  private final String yName;
  private final List<Point> points;
  private final StringBuilder svg = new StringBuilder();

  LinePlot(String title, String xName, String yName, List<Point> points) {
    this.title = title;
    this.xName = xName;
    this.yName = yName;
    this.points = List.copyOf(points);
  }

  /** Returns the document. */
  String svg() {
    Svg.open(svg, WIDTH, HEIGHT, title);
    double low = Math.floor(range(Point::y, Math::min));
    double high = Math.max(low + 1, Math.ceil(range(Point::y, Math::max)));
    for (double power = low; power <= high; power++) {
      double y = y(power, low, high);
      add("<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#ddd'/>", LEFT, WIDTH - RIGHT, y, y);
      text(LEFT - 8, y + 4, "end", Svg.number(Math.pow(10, power)));
    }
    List<String> line = new ArrayList<>();
    for (Point point : points) {
      double x = x(point.x());
      double y = y(Math.log10(point.y()), low, high);
      line.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
      add("<circle cx='%.1f' cy='%.1f' r='4' fill='#1f77b4'/>", x, y);
      text(x, y - 10, "middle", Svg.number(point.y()));
      text(x, HEIGHT - BOTTOM + 20, "middle", Svg.number(point.x()));
    }
    add("<polyline points='%s' fill='none' stroke='#1f77b4'/>", String.join(" ", line));
    text(LEFT + plotWidth() / 2, HEIGHT - 15, "middle", xName);
    text(LEFT, TOP - 12, "start", yName);
    return svg.append("</svg>\n").toString();
  }

  private double range(ToDoubleFunction<Point> axis, java.util.function.DoubleBinaryOperator end) {
    return points.stream()
        .mapToDouble(axis)
        .map(value -> Math.log10(Math.max(1e-3, value)))
        .reduce(end)
        .orElse(0);
  }

  private double x(double value) {
    double low = range(Point::x, Math::min);
    double high = range(Point::x, Math::max);
    double inset = 40;
    double part = high == low ? 0.5 : (Math.log10(value) - low) / (high - low);
    return LEFT + inset + part * (plotWidth() - 2 * inset);
  }

  private static double y(double power, double low, double high) {
    return HEIGHT - BOTTOM - (power - low) / (high - low) * (HEIGHT - BOTTOM - TOP);
  }

  private static double plotWidth() {
    return WIDTH - LEFT - RIGHT;
  }

  private void text(double x, double y, String anchor, String text) {
    Svg.text(svg, x, y, anchor, text);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
