package dev.clientgo.apimachinery.meta.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OptionsTest {

  @Test
  void toQuery_nothingSet_isEmpty() {
    assertThat(GetOptions.NONE.toQuery()).isEmpty();
    assertThat(CreateOptions.NONE.toQuery()).isEmpty();
    assertThat(UpdateOptions.NONE.toQuery()).isEmpty();
    assertThat(PatchOptions.NONE.toQuery()).isEmpty();
    assertThat(DeleteOptions.NONE.toQuery()).isEmpty();
    assertThat(ListOptions.NONE.toQuery(false)).isEmpty();
    assertThat(GetOptions.builder().resourceVersion("").build().toQuery()).isEmpty();
  }

  @Test
  void toQuery_everythingSet_hasTheNamesOfUpstream() {
    assertThat(GetOptions.builder().resourceVersion("0").build().toQuery())
        .isEqualTo(Map.of("resourceVersion", "0"));
    assertThat(
            CreateOptions.builder()
                .dryRun(true)
                .fieldManager("me")
                .fieldValidation(FieldValidation.STRICT)
                .build()
                .toQuery())
        .isEqualTo(Map.of("dryRun", "All", "fieldManager", "me", "fieldValidation", "Strict"));
    assertThat(UpdateOptions.builder().fieldValidation(FieldValidation.WARN).build().toQuery())
        .isEqualTo(Map.of("fieldValidation", "Warn"));
    assertThat(
            PatchOptions.builder()
                .force(true)
                .fieldValidation(FieldValidation.IGNORE)
                .build()
                .toQuery())
        .isEqualTo(Map.of("force", "true", "fieldValidation", "Ignore"));
    assertThat(ApplyOptions.of("me").force().dryRun().toQuery())
        .isEqualTo(Map.of("fieldManager", "me", "force", "true", "dryRun", "All"));
  }

  @Test
  void listOptions_everythingSet_haveTheNamesOfUpstream() {
    ListOptions options =
        ListOptions.builder()
            .labelSelector("app=web")
            .fieldSelector("metadata.name=a")
            .resourceVersion("7")
            .resourceVersionMatch(ListOptions.ResourceVersionMatch.NOT_OLDER_THAN)
            .timeout(Duration.ofSeconds(30))
            .limit(500L)
            .continueToken("next")
            .allowWatchBookmarks(true)
            .sendInitialEvents(true)
            .shardSelector("shardRange(a, 'b', 'c')")
            .build();

    assertThat(options.toQuery(true))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("labelSelector", "app=web"),
                Map.entry("fieldSelector", "metadata.name=a"),
                Map.entry("watch", "true"),
                Map.entry("allowWatchBookmarks", "true"),
                Map.entry("resourceVersion", "7"),
                Map.entry("resourceVersionMatch", "NotOlderThan"),
                Map.entry("timeoutSeconds", "30"),
                Map.entry("limit", "500"),
                Map.entry("continue", "next"),
                Map.entry("sendInitialEvents", "true"),
                Map.entry("shardSelector", "shardRange(a, 'b', 'c')")));
    assertThat(options.toQuery(false)).doesNotContainKey("watch").hasSize(10);
    assertThat(options.toBuilder().build()).isEqualTo(options).hasSameHashCodeAs(options);
  }

  @Test
  void listMeta_ofAPart_saysWhich() {
    byte[] json = "{\"continue\":\"c\",\"shardInfo\":{\"selector\":\"s\"}}".getBytes(UTF_8);

    ListMeta metadata = JsonReader.fromBytes(ListMeta.CODEC, json);

    assertThat(metadata.shardInfo()).isEqualTo(new ListMeta.ShardInfo("s"));
    assertThat(JsonWriter.toBytes(ListMeta.CODEC, metadata)).isEqualTo(json);
    assertThat(metadata.toBuilder().build()).isEqualTo(metadata);
    assertThat(metadata.toBuilder().shardInfo(null).build().shardInfo()).isNull();
  }

  @Test
  void applyOptions_sayWhatTheyAre() {
    ApplyOptions options = ApplyOptions.of("me").force().dryRun();

    assertThat(options.fieldManager()).isEqualTo("me");
    assertThat(options.isForced()).isTrue();
    assertThat(options.isDryRun()).isTrue();
    assertThat(ApplyOptions.of("me").isForced()).isFalse();
    assertThat(ApplyOptions.of("me").isDryRun()).isFalse();
  }

  @Test
  void toBuilder_thenBuild_isEqual() {
    CreateOptions create = CreateOptions.builder().dryRun(true).fieldManager("me").build();
    PatchOptions patch = ApplyOptions.of("me").force().toPatchOptions();

    assertThat(create.toBuilder().build()).isEqualTo(create).hasSameHashCodeAs(create);
    assertThat(create.toBuilder().dryRun(false).build()).isNotEqualTo(create);
    assertThat(patch.toBuilder().build()).isEqualTo(patch).hasSameHashCodeAs(patch);
    assertThat(ApplyOptions.of("me")).isEqualTo(ApplyOptions.of("me"));
    assertThat(ApplyOptions.of("me").force()).isNotEqualTo(ApplyOptions.of("me"));
    assertThat(UpdateOptions.NONE.toBuilder().build()).isEqualTo(UpdateOptions.NONE);
    assertThat(GetOptions.NONE.toBuilder().build()).isEqualTo(GetOptions.NONE);
  }

  /** Upstream: TestValidateFieldManagerValid, TestValidateFieldManagerInvalid. */
  @Test
  void fieldManager_thatServersRefuse_isRefusedHere() {
    assertThat(CreateOptions.builder().fieldManager("füllhorn 🐢").build().fieldManager())
        .isEqualTo("füllhorn 🐢");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CreateOptions.builder().fieldManager("a".repeat(129)))
        .withMessage("the name of the field manager must have at most 128 characters, but has 129");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PatchOptions.builder().fieldManager("a\nb"))
        .withMessageContaining("character 2");
    assertThatIllegalArgumentException().isThrownBy(() -> ApplyOptions.of(""));
  }

  private static final DeleteOptions DELETE =
      DeleteOptions.builder()
          .gracePeriod(Duration.ofSeconds(30))
          .preconditions(new Preconditions("u-1", "7"))
          .propagationPolicy(DeletionPropagation.FOREGROUND)
          .dryRun(true)
          .ignoreStoreReadErrorWithClusterBreakingPotential(true)
          .build();

  @Test
  void deleteOptions_asQuery_haveAllButThePreconditions() {
    assertThat(DELETE.toQuery())
        .isEqualTo(
            Map.of(
                "gracePeriodSeconds", "30",
                "propagationPolicy", "Foreground",
                "dryRun", "All",
                "ignoreStoreReadErrorWithClusterBreakingPotential", "true"));
    assertThat(DELETE.toBuilder().build()).isEqualTo(DELETE).hasSameHashCodeAs(DELETE);
    assertThat(DELETE.toBuilder().preconditions(Preconditions.ofUid("u-1")).build())
        .isNotEqualTo(DELETE);
  }

  @Test
  void deleteOptions_asBody_areReadAsWritten() {
    byte[] json = JsonWriter.toBytes(DeleteOptions.CODEC, DELETE);

    assertThat(new String(json, UTF_8))
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":30,"
                + "\"preconditions\":{\"uid\":\"u-1\",\"resourceVersion\":\"7\"},"
                + "\"propagationPolicy\":\"Foreground\",\"dryRun\":[\"All\"],"
                + "\"ignoreStoreReadErrorWithClusterBreakingPotential\":true}");
    assertThat(JsonReader.fromBytes(DeleteOptions.CODEC, json)).isEqualTo(DELETE);
    assertThat(new String(JsonWriter.toBytes(DeleteOptions.CODEC, DeleteOptions.NONE), UTF_8))
        .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
    assertThat(JsonReader.fromBytes(DeleteOptions.CODEC, "{}".getBytes(UTF_8)))
        .isEqualTo(DeleteOptions.NONE);
  }

  @Test
  void deleteOptions_badValues_areRefused() {
    for (Duration period : List.of(Duration.ofSeconds(-1), Duration.ofMillis(500))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DeleteOptions.builder().gracePeriod(period))
          .withMessageContaining(period.toString());
    }
    assertThatThrownBy(
            () ->
                JsonReader.fromBytes(
                    DeleteOptions.CODEC, "{\"propagationPolicy\":\"orphan\"}".getBytes(UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("expected Orphan, Background or Foreground, found \"orphan\"");
  }

  private static ListOptions.Builder list() {
    return ListOptions.builder();
  }

  /** Upstream: TestValidateListOptions, for lists. */
  @Test
  void problems_ofAList_areThoseOfAServer() {
    assertThat(ListOptions.NONE.problems(false)).isEmpty();
    assertThat(list().resourceVersion("0").build().problems(false)).isEmpty();
    assertThat(
            list()
                .resourceVersion("7")
                .resourceVersionMatch(ResourceVersionMatch.EXACT)
                .build()
                .problems(false))
        .isEmpty();
    assertThat(
            list()
                .resourceVersion("0")
                .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
                .build()
                .problems(false))
        .isEmpty();
    assertThat(
            list()
                .resourceVersionMatch(ResourceVersionMatch.EXACT)
                .continueToken("c")
                .sendInitialEvents(false)
                .build()
                .problems(false))
        .containsExactly(
            "resourceVersionMatch is forbidden when continue is provided",
            "resourceVersionMatch is forbidden unless resourceVersion is provided",
            "sendInitialEvents is forbidden for list");
    assertThat(
            list()
                .resourceVersion("0")
                .resourceVersionMatch(ResourceVersionMatch.EXACT)
                .build()
                .problems(false))
        .containsExactly("resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
  }

  /** Upstream: TestValidateListOptions, for watches. */
  @Test
  void problems_ofAWatch_areThoseOfAServer() {
    ListOptions watchList =
        list()
            .sendInitialEvents(true)
            .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
            .build();

    assertThat(ListOptions.NONE.problems(true)).isEmpty();
    assertThat(watchList.problems(true)).isEmpty();
    assertThat(watchList.toBuilder().sendInitialEvents(false).build().problems(true)).isEmpty();
    assertThat(watchList.toBuilder().continueToken("c").build().problems(true))
        .containsExactly("resourceVersionMatch is forbidden when continue is provided");
    assertThat(watchList.toBuilder().resourceVersionMatch(null).build().problems(true))
        .containsExactly("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    assertThat(watchList.toBuilder().sendInitialEvents(null).build().problems(true))
        .containsExactly(
            "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    assertThat(
            watchList.toBuilder()
                .resourceVersionMatch(ResourceVersionMatch.EXACT)
                .build()
                .problems(true))
        .containsExactly(
            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
            "resourceVersionMatch must be NotOlderThan for watch");
  }
}
