package dev.clientgo.crd;

import dev.clientgo.apimachinery.meta.Condition;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.resource.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The example of docs/crd-gen.md. */
@CustomResource(group = "example.com", version = "v1", shortNames = "db")
@ScaleSubresource
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
public record Database(
    String apiVersion,
    String kind,
    @Nullable ObjectMeta metadata,
    Spec spec,
    @Nullable Status status) {

  enum Engine {
    POSTGRES,
    MYSQL
  }

  @ValidationRule(
      rule = "self.engine == 'POSTGRES' || self.replicas <= 3",
      message = "MySQL has at most 3 replicas")
  record Spec(
      @PrinterColumn Engine engine,
      @Schema(minimum = 1, maximum = 9, defaultValue = "1") int replicas,
      @Schema(pattern = "^[a-z]+$") @Nullable String user,
      @Nullable Quantity size) {}

  record Status(
      @Nullable Integer replicas,
      @Schema(listType = Schema.ListType.MAP, listMapKeys = "type")
          @Nullable List<Condition> conditions) {}
}
