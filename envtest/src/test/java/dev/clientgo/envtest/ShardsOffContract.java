package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.net.URLEncoder;
import org.junit.jupiter.api.Test;

/** Requests for a shard to a server whose feature gate ShardedListAndWatch is off. */
abstract class ShardsOffContract extends Contract {

  private static final String NOTHING =
      "shardSelector="
          + URLEncoder.encode(
              "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001')", UTF_8);

  @Test
  void list_ofAShard_hasAllObjects() {
    create("a");

    Answer list = must(200, api().get(configMaps() + "?" + NOTHING));

    assertThat(list.itemNames()).containsExactly("a");
    assertThat(JsonTree.asObject(list.at("metadata"))).doesNotContainKey("shardInfo");
  }

  @Test
  void list_ofAShardThatIsNone_isAnswered() {
    create("a");

    assertThat(must(200, api().get(configMaps() + "?shardSelector=nonsense")).itemNames())
        .containsExactly("a");
  }

  @Test
  void watch_ofAShard_hasAllChanges() {
    String version = must(200, api().get(configMaps())).resourceVersion();
    try (Events events = watch("&resourceVersion=" + version + "&" + NOTHING)) {
      create("a");

      assertThat(events.next().name()).isEqualTo("a");
    }
  }
}
