package com.example

import dev.clientgo.apimachinery.labels.Selector
import dev.clientgo.cache.Lister
import dev.clientgo.kubernetes.InformerFactory
import dev.clientgo.kubernetes.core.v1.Pod
import dev.clientgo.rest.RESTClient
import dev.clientgo.rest.kubeconfig.KubeConfigLoader
import java.time.Duration

/** Names the pods of a team, from a cache that follows the cluster. */
class TeamPods(private val pods: Lister<Pod>) {
  fun of(team: String): List<String> =
    pods.list(Selector.parse("team=$team"))
      .map { "${it.metadata().namespace()}/${it.metadata().name()}" }
      .sorted()
}

fun main(args: Array<String>) {
  RESTClient.create(KubeConfigLoader.standard().load()).use { client ->
    InformerFactory.create(client).use { factory ->
      val pods = TeamPods(factory.core().v1().pods().lister())
      factory.start()
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow()
      println(pods.of(args[0]))
    }
  }
}
