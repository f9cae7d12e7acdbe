package dev.clientgo.examples.liveview;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/** A picture in the 64 colors that it has most of, so that it is small enough for a repository. */
final class SmallPng {

  private static final int COLORS = 64;

  private SmallPng() {}

  static byte[] of(byte[] png) throws IOException {
    BufferedImage full = ImageIO.read(new ByteArrayInputStream(png));
    int[] pixels = full.getRGB(0, 0, full.getWidth(), full.getHeight(), null, 0, full.getWidth());
    Map<Integer, Long> counts =
        IntStream.of(pixels)
            .boxed()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    List<Integer> palette =
        counts.entrySet().stream()
            .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
            .limit(COLORS)
            .map(Map.Entry::getKey)
            .toList();
    int[] colors = palette.stream().mapToInt(Integer::intValue).toArray();
    BufferedImage small =
        new BufferedImage(
            full.getWidth(),
            full.getHeight(),
            BufferedImage.TYPE_BYTE_INDEXED,
            new IndexColorModel(8, colors.length, colors, 0, false, -1, 0));
    Map<Integer, Integer> nearest = new HashMap<>();
    for (int i = 0; i < pixels.length; i++) {
      int color = nearest.computeIfAbsent(pixels[i], pixel -> nearest(pixel, colors));
      small.getRaster().setSample(i % full.getWidth(), i / full.getWidth(), 0, color);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(small, "png", out);
    return out.toByteArray();
  }

  private static int nearest(int pixel, int[] colors) {
    int best = 0;
    for (int i = 1; i < colors.length; i++) {
      if (distance(pixel, colors[i]) < distance(pixel, colors[best])) {
        best = i;
      }
    }
    return best;
  }

  private static int distance(int a, int b) {
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int difference = (a >> shift & 255) - (b >> shift & 255);
      sum += difference * difference;
    }
    return sum;
  }
}
