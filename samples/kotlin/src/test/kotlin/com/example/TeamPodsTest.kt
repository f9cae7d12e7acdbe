package com.example

import dev.clientgo.envtest.junit.ApiServerTest
import dev.clientgo.envtest.junit.TestNamespace
import dev.clientgo.kubernetes.Clientset
import dev.clientgo.kubernetes.InformerFactory
import dev.clientgo.kubernetes.core.v1.Pod
import dev.clientgo.rest.RESTClient
import java.time.Duration
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

@ApiServerTest
class TeamPodsTest {
  @Test
  fun `the pods of a team are named`(client: RESTClient, @TestNamespace namespace: String) {
    val pods = Clientset.of(client).core().v1().pods(namespace)
    pods.create(pod(namespace, "web", "shop"))
    pods.create(pod(namespace, "mail", "office"))

    InformerFactory.create(client).use { factory ->
      val teams = TeamPods(factory.core().v1().pods().lister())
      factory.start()
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow()

      assertEquals(listOf("$namespace/web"), teams.of("shop"))
    }
  }

  private fun pod(namespace: String, name: String, team: String): Pod =
    Pod.of(namespace, name) { pod ->
      pod.editMetadata { it.labels(mapOf("team" to team)) }
        .editSpec { spec -> spec.addContainers { it.name("main").image("registry.example/main:1") } }
    }
}
