package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Size limits of objects. */
abstract class SizeContract extends Contract {

  private static final int MIB = 1 << 20;
  private static final String TOO_LONG = "Too long: may not be more than 1048576 bytes";

  private static String of(String fields) {
    return "{'metadata':{'name':'a'}," + fields + "}";
  }

  private static String base64(int bytes) {
    return Base64.getEncoder().encodeToString(new byte[bytes]);
  }

  @Test
  void configMap_of1MiB_isStored_largerIsInvalid() {
    String full = "x".repeat(MIB);
    must(201, api().post(configMaps(), of("'data':{'a':'" + full + "','b':''}")));

    assertFailure(
        api().mergePatch(configMap("a"), "{'data':{'b':'y'}}"),
        422,
        "Invalid",
        "ConfigMap \"a\" is invalid: []: " + TOO_LONG);
    assertThat(api().get(configMap("a")).at("data", "b")).isEqualTo("");
  }

  @Test
  void configMap_countsBytes_ofBothKindsOfData() {
    String letters = "é".repeat(MIB / 4);
    String both = "'data':{'a':'" + letters + "'},'binaryData':{'b':'" + base64(MIB / 2);
    must(201, api().post(configMaps() + "?dryRun=All", of(both + "'}")));

    String more = both.replace("'data':{", "'data':{'c':'x',");
    assertFailure(api().post(configMaps(), of(more + "'}")), 422, "Invalid", TOO_LONG);
  }

  @Test
  void secret_over1MiB_isInvalid() {
    must(
        201, api().post(core("secrets") + "?dryRun=All", of("'data':{'a':'" + base64(MIB) + "'}")));

    assertFailure(
        api().post(core("secrets"), of("'data':{'a':'" + base64(MIB + 1) + "'}")),
        422,
        "Invalid",
        "Secret \"a\" is invalid: data: " + TOO_LONG);
    String both = "'data':{'a':'" + base64(MIB / 2) + "'},'stringData':{'b':'";
    assertFailure(
        api().post(core("secrets"), of(both + "x".repeat(MIB / 2 + 1) + "'}")),
        422,
        "Invalid",
        TOO_LONG);
  }

  @Test
  void annotations_over256KiB_areInvalid() {
    String most = "x".repeat(MIB / 4 - 1);
    create("a", ",'annotations':{'k':'" + most + "'}");

    assertFailure(
        api().mergePatch(configMap("a"), "{'metadata':{'annotations':{'k':'" + most + "x'}}}"),
        422,
        "Invalid",
        "metadata.annotations: Too long: may not be more than 262144 bytes");
  }

  @Test
  void object_overEtcdsLimit_isNotStored() {
    String pod = "'spec':{'containers':[{'name':'c','image':'i','command':['";
    String large = of(pod + "x".repeat(MIB / 2 * 3) + "']}]}");

    must(201, api().post(core("pods") + "?dryRun=All", large));
    assertFailure(api().post(core("pods"), large), 500, "", "etcdserver: request is too large");
    assertThat(api().get(core("pods") + "/a").code()).isEqualTo(404);
  }

  @Test
  void request_over3MiB_isRefused() {
    assertFailure(
        api().post(configMaps(), of("'data':{'a':'" + "x".repeat(3 * MIB) + "'}")),
        413,
        "RequestEntityTooLarge",
        "Request entity too large: limit is 3145728");
  }
}
