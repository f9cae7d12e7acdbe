package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.rest.ResourceClient;
import org.junit.jupiter.api.Test;

/** The contract of the service account and the certificate that each namespace has. */
abstract class ServiceAccountContract extends ControllerContract {

  @Test
  void namespace_getsItsServiceAccountAndTheCertificate() throws Exception {
    String namespace = namespace();

    awaitPresent(client().resource(ServiceAccount.TYPE).inNamespace(namespace), "default");
    ConfigMap certificate =
        awaitPresent(client().resource(ConfigMap.TYPE).inNamespace(namespace), "kube-root-ca.crt");
    assertThat(certificate.data()).containsOnlyKeys("ca.crt");
    assertThat(certificate.metadata().annotations()).containsOnlyKeys("kubernetes.io/description");
    assertThat(client().resource(Secret.TYPE).inNamespace(namespace).list().items()).isEmpty();
  }

  @Test
  void deletedServiceAccount_isCreatedAgain() throws Exception {
    ResourceClient<ServiceAccount> accounts =
        client().resource(ServiceAccount.TYPE).inNamespace(namespace());
    ServiceAccount first = awaitPresent(accounts, "default");

    accounts.delete("default");

    await(accounts, "default", found -> found.isPresent() && !sameUid(found.get(), first));
  }

  @Test
  void changedCertificate_isRestored() throws Exception {
    ResourceClient<ConfigMap> maps = client().resource(ConfigMap.TYPE).inNamespace(namespace());
    ConfigMap published = awaitPresent(maps, "kube-root-ca.crt");

    maps.edit("kube-root-ca.crt", map -> map.with(m -> m.editData(d -> d.put("ca.crt", "forged"))));

    await(
        maps,
        "kube-root-ca.crt",
        found -> found.isPresent() && found.get().data().equals(published.data()));
  }

  private static boolean sameUid(KubernetesObject one, KubernetesObject other) {
    return String.valueOf(one.metadata().uid()).equals(other.metadata().uid());
  }
}
