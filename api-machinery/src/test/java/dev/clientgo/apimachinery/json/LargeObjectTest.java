package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class LargeObjectTest {

  private static final String OWNER =
      "{'apiVersion':'v1','kind':'Pod','name':'" + "y".repeat(1000) + "','uid':'u'}";

  @Test
  @Timeout(300)
  void nextObject_whosePartCrossesTheLimit_isRefusedAndSkipped() {
    String annotation = "x".repeat(JsonReader.MAX_OBJECT_BYTES - 2_000);
    String objects =
        "[{'metadata':{'name':'large','annotations':{'a':'"
            + annotation
            + "'},'ownerReferences':["
            + (OWNER + ",").repeat(50)
            + OWNER
            + "]}},{'metadata':{'name':'small'}}]";
    JsonReader in =
        JsonReader.of(
            new ByteArrayInputStream(objects.replace('\'', '"').getBytes(UTF_8)),
            DecodeContext.ofStore());
    in.beginArray();
    in.nextElement();

    CodecException error =
        catchThrowableOfType(
            CodecException.class, () -> in.nextObject(PartialObjectMetadata.CODEC));

    assertThat(error.problem()).isEqualTo("object of more than 16777216 bytes");
    assertThat(error.objectName()).isEqualTo("large");
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(PartialObjectMetadata.CODEC).metadata().name()).isEqualTo("small");
  }
}
