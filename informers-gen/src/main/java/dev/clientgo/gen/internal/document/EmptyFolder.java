package dev.clientgo.gen.internal.document;

import dev.clientgo.gen.report.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Explains why a folder has no definition to generate from. */
public final class EmptyFolder {

  private static final int MAX_KINDS = 5;

  private EmptyFolder() {}

  /**
   * Returns the problem of a folder without definitions.
   *
   * @param files how many YAML and JSON files it has
   * @param documents the documents in them
   */
  public static Report.Problem problem(Path folder, int files, List<Node> documents) {
    StringBuilder text = new StringBuilder();
    if (files == 0) {
      text.append("has no file whose name ends in .yaml, .yml or .json; CRDs were expected");
    } else {
      text.append("has no CRD, OpenAPI v3 document or schema file in ")
          .append(files == 1 ? "its file" : "its " + files + " files");
      String kinds =
          documents.stream()
              .map(document -> document.string("kind"))
              .filter(Objects::nonNull)
              .distinct()
              .sorted()
              .limit(MAX_KINDS)
              .collect(Collectors.joining(", "));
      text.append(kinds.isEmpty() ? "" : ", only " + kinds);
    }
    if (Files.exists(folder.resolve("Chart.yaml"))) {
      text.append("; it is a Helm chart: ").append(HelmTemplate.RENDER);
    } else if (hasKustomization(folder)) {
      text.append("; it is a kustomization: build it first, for example with \"kubectl kustomize ")
          .append(folder)
          .append(" > crds.yaml\"");
    }
    return new Report.Problem(folder.toString(), 0, "", text.toString());
  }

  private static boolean hasKustomization(Path folder) {
    return List.of("kustomization.yaml", "kustomization.yml", "Kustomization").stream()
        .anyMatch(name -> Files.exists(folder.resolve(name)));
  }
}
