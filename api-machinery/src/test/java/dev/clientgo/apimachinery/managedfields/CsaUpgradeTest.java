package dev.clientgo.apimachinery.managedfields;

import static dev.clientgo.apimachinery.managedfields.ManagedFieldsTest.applied;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cases are those of TestUpgradeCSA in util/csaupgrade. */
final class CsaUpgradeTest {

  private static final String OLD = "kubectl-client-side-apply";
  private static final String NEW = "kubectl";
  private static final String DATA = "{\"f:data\":{\".\":{},\"f:key\":{},\"f:legacy\":{}}}";

  private final CsaUpgrade upgrade = CsaUpgrade.of(Set.of(OLD), NEW);

  /** "csa-basic-direct-conversion". */
  @Test
  void apply_withoutAnAppliedEntry_convertsTheUpdate() {
    assertThat(entries(upgrade.apply(object(updated(OLD, DATA, "v1")))))
        .containsExactly(applied(NEW, DATA, null));
  }

  /** "csa-combine-with-ssa-duplicate-keys". */
  @Test
  void apply_withAnAppliedEntryOfTheSameFields_dropsTheUpdate() {
    ManagedFieldsEntry ssa = applied(NEW, DATA, null);

    assertThat(entries(upgrade.apply(object(ssa, updated(OLD, DATA, "v1"))))).containsExactly(ssa);
  }

  /** "csa-combine-with-ssa-additional-keys". */
  @Test
  void apply_withAnAppliedEntry_joinsTheFields() {
    Unstructured upgraded =
        upgrade.apply(
            object(
                applied(NEW, "{\"f:data\":{\"f:new\":{}}}", null),
                applied("other", DATA, null),
                updated(OLD, "{\"f:data\":{\"f:key\":{}}}", "v1")));

    assertThat(entries(upgraded))
        .containsExactly(
            applied(NEW, "{\"f:data\":{\"f:new\":{},\"f:key\":{}}}", null),
            applied("other", DATA, null));
  }

  /** "csa-combine-multiple-apply-with-subresource" and its siblings. */
  @Test
  void apply_ofASubresource_leavesTheRestAlone() {
    ManagedFieldsEntry main = updated(OLD, DATA, "v1");
    ManagedFieldsEntry status =
        updated(OLD, "{\"f:status\":{}}", "v1").toBuilder().subresource("status").build();

    assertThat(entries(upgrade.apply(object(main, status))))
        .containsExactly(applied(NEW, DATA, null), status);
    assertThat(entries(upgrade.ofSubresource("status").apply(object(main, status))))
        .containsExactly(main, applied(NEW, "{\"f:status\":{}}", "status"));
  }

  /** "cant-upgrade-unspecified-managers". */
  @Test
  void apply_ofOthersThanNamed_returnsTheObjectItself() {
    Unstructured object = object(updated("kubectl-edit", DATA, "v1"));

    assertThat(upgrade.apply(object)).isSameAs(object);
    assertThat(upgrade.patch(object)).isEmpty();
    assertThat(upgrade.apply(Unstructured.parse("{}"))).isEqualTo(Unstructured.parse("{}"));
  }

  /** "csa-no-rewrite-of-different-version": fields of another version are given up. */
  @Test
  void apply_ofAnotherVersion_dropsItsFields() {
    ManagedFieldsEntry ssa = applied(NEW, "{\"f:data\":{\"f:key\":{}}}", null);

    assertThat(entries(upgrade.apply(object(ssa, updated(OLD, DATA, "v5"))))).containsExactly(ssa);
  }

  /** "csa-upgrade-multiple-csa-managers". */
  @Test
  void apply_ofManyManagers_joinsAll() {
    CsaUpgrade both = CsaUpgrade.of(Set.of("a", "b"), NEW);

    assertThat(
            entries(
                both.apply(
                    object(
                        updated("b", "{\"f:y\":{}}", "v1"), updated("a", "{\"f:x\":{}}", "v1")))))
        .containsExactly(applied(NEW, "{\"f:x\":{},\"f:y\":{}}", null));
  }

  @Test
  void patch_replacesTheEntriesIfNothingHasChanged() {
    Unstructured object = object(updated(OLD, DATA, "v1")).with("7", "metadata", "resourceVersion");

    Patch patch = upgrade.patch(object).orElseThrow();

    assertThat(patch.mediaType()).isEqualTo(JsonPatch.MEDIA_TYPE);
    assertThat(patch.body())
        .isEqualTo(
            RawJson.of(
                "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":["
                    + "{\"manager\":\"kubectl\",\"operation\":\"Apply\",\"apiVersion\":\"v1\","
                    + "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"
                    + DATA
                    + "}]},{\"op\":\"replace\",\"path\":\"/metadata/resourceVersion\","
                    + "\"value\":\"7\"}]"));
  }

  private static List<ManagedFieldsEntry> entries(Unstructured object) {
    return object.metadata().managedFields();
  }

  private static Unstructured object(ManagedFieldsEntry... entries) {
    return ManagedFieldsTest.object("{}", entries);
  }

  private static ManagedFieldsEntry updated(String manager, String fields, String apiVersion) {
    return applied(manager, fields, null).toBuilder()
        .operation(ManagedFields.UPDATE)
        .apiVersion(apiVersion)
        .build();
  }
}
