package dev.clientgo.apimachinery.meta.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Holds the printer to what {@code kubectl get} prints of the same table. */
final class TablePrinterTest {

  private static final Table PODS =
      table(
          """
          {"kind": "Table", "columnDefinitions": [
             {"name": "Name", "type": "string"}, {"name": "Ready", "type": "string"},
             {"name": "Restarts", "type": "integer"}, {"name": "Node", "type": "string", "priority": 1}],
           "rows": [
             {"cells": ["web-0", "1/1", 0, "node-1"], "object": {"kind": "PartialObjectMetadata",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": {"name": "web-0", "namespace": "shop", "labels": {"tier": "a", "app": "web"}}}},
             {"cells": ["a-long-name-of-a-pod", "0/12", 17, null], "object": {
                "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
                "metadata": {"name": "a-long-name-of-a-pod", "namespace": "kube-system"}}}]}
          """);

  private static Table table(String json) {
    return JsonReader.fromBytes(Table.CODEC, json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void print_narrow_hasTheEssentialColumns() {
    assertThat(TablePrinter.narrow().print(PODS))
        .isEqualTo(
            """
            NAME                   READY   RESTARTS
            web-0                  1/1     0
            a-long-name-of-a-pod   0/12    17
            """);
  }

  @Test
  void print_wideWithNamespaceAndLabels_hasAllColumns() {
    String text = TablePrinter.wide().withNamespace().withLabels().print(PODS);

    assertThat(text)
        .isEqualTo(
            """
            NAMESPACE     NAME                   READY   RESTARTS   NODE     LABELS
            shop          web-0                  1/1     0          node-1   app=web,tier=a
            kube-system   a-long-name-of-a-pod   0/12    17                  <none>
            """);
  }

  @Test
  void print_withoutHeaders_hasOnlyRows() {
    assertThat(TablePrinter.narrow().withoutHeaders().print(PODS))
        .isEqualTo(
            """
            web-0                  1/1    0
            a-long-name-of-a-pod   0/12   17
            """);
  }

  @Test
  void print_cellOfSeveralLines_isCutOff() {
    Table table =
        table(
            """
            {"kind": "Table", "columnDefinitions": [{"name": "Message"}, {"name": "A"}],
             "rows": [{"cells": ["one\\ntwo", "b"]}]}
            """);

    assertThat(TablePrinter.narrow().print(table)).isEqualTo("MESSAGE   A\none...    b\n");
  }

  @Test
  void print_noRows_isEmpty() {
    assertThat(TablePrinter.narrow().print(table("{\"kind\": \"Table\", \"rows\": []}"))).isEmpty();
  }
}
