package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.kubernetes.authentication.v1.TokenRequest;
import dev.clientgo.kubernetes.certificates.v1.CertificateSigningRequest;
import dev.clientgo.kubernetes.certificates.v1.CertificateSigningRequestCondition;
import dev.clientgo.kubernetes.core.v1.Binding;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.EphemeralContainer;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.kubernetes.policy.v1.Eviction;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The subresources that are neither a status nor a scale, through generated types. */
abstract class SubresourceContract {

  abstract RESTClient client();

  Clientset.Core.V1 core() {
    return Clientset.of(client()).core().v1();
  }

  @Test
  void binding_ofAPod_assignsItsNode() throws InterruptedException {
    ResourceClient<Pod> pods = core().pods("default");
    core().nodes().create(Node.of("bound-to", n -> {}));
    pods.create(pod("bound"));

    pods.subresource("binding", Binding.CODEC)
        .submit(
            "bound",
            Binding.of("default", "bound", b -> b.editTarget(t -> t.kind("Node").name("bound-to"))),
            CreateOptions.NONE);

    assertThat(pods.get("bound").spec().nodeName()).isEqualTo("bound-to");
  }

  @Test
  void eviction_ofAPodThatRunsNowhere_deletesIt() throws InterruptedException {
    ResourceClient<Pod> pods = core().pods("default");
    pods.create(pod("evicted"));

    pods.subresource("eviction", Eviction.CODEC)
        .submit("evicted", Eviction.of("default", "evicted", e -> {}), CreateOptions.NONE);

    assertThatThrownBy(() -> pods.get("evicted"))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
  }

  @Test
  void ephemeralContainers_ofAPod_areAdded() throws InterruptedException {
    ResourceClient<Pod> pods = core().pods("default");
    Pod pod = pods.create(pod("debugged"));
    EphemeralContainer shell =
        EphemeralContainer.of(c -> c.name("shell").image("shell").targetContainerName("app"));

    Pod updated =
        pods.subresource("ephemeralcontainers")
            .update(
                "debugged", pod.with(p -> p.editSpec(s -> s.ephemeralContainers(List.of(shell)))));

    assertThat(updated.spec().ephemeralContainers())
        .extracting(EphemeralContainer::name)
        .containsExactly("shell");
  }

  @Test
  void token_ofAServiceAccount_isIssued() throws InterruptedException {
    ResourceClient<ServiceAccount> accounts = core().serviceAccounts("default");
    accounts.create(ServiceAccount.of("default", "robot", a -> {}));

    TokenRequest issued =
        accounts
            .subresource("token", TokenRequest.CODEC)
            .create(
                "robot",
                TokenRequest.of(
                    "default",
                    "robot",
                    t -> t.editSpec(s -> s.expirationSeconds(3600L).audiences(List.of("api")))),
                CreateOptions.NONE);

    assertThat(issued.status().token()).isNotEmpty();
    assertThat(issued.status().expirationTimestamp()).isNotNull();
  }

  @Test
  void approval_ofASigningRequest_isAConditionOfItsOwn() throws InterruptedException {
    ResourceClient<CertificateSigningRequest> requests =
        Clientset.of(client()).certificates().v1().certificateSigningRequests();
    CertificateSigningRequest sample = Samples.load().of(CertificateSigningRequest.TYPE);
    CertificateSigningRequest created =
        requests.create(sample.with(r -> r.editMetadata(m -> m.name("approved"))));
    CertificateSigningRequestCondition approved =
        CertificateSigningRequestCondition.of(
            c -> c.type("Approved").status("True").reason("Sampled").message("by a test"));

    CertificateSigningRequest updated =
        requests
            .subresource("approval")
            .update(
                "approved", created.with(r -> r.editStatus(s -> s.conditions(List.of(approved)))));

    assertThat(updated.status().conditions())
        .singleElement()
        .satisfies(c -> assertThat(c.type()).isEqualTo("Approved"));
  }

  static Pod pod(String name) {
    Container app = Container.of(c -> c.name("app").image("app"));
    return Pod.of("default", name, p -> p.editSpec(s -> s.containers(List.of(app))));
  }
}
