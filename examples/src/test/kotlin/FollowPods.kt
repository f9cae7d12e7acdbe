import dev.clientgo.kubernetes.InformerFactory
import dev.clientgo.kubernetes.core.v1.Pod
import dev.clientgo.kubernetes.core.v1.PodPhase
import dev.clientgo.rest.RESTClient
import dev.clientgo.rest.kubeconfig.KubeConfigLoader
import java.time.Duration

fun pod(name: String, image: String): Pod =
    Pod.of("default", name) { pod ->
        pod.editMetadata { it.labels(mapOf("app" to "web")) }
            .editSpec { spec -> spec.editContainers("web") { it.image(image) } }
    }

fun main() {
    RESTClient.create(KubeConfigLoader.standard().load()).use { client ->
        InformerFactory.create(client).use { factory ->
            val pods = factory.of(Pod.TYPE).inNamespace("default").withLabels("app=web")
            pods.informer().addEventHandler { handler ->
                handler
                    .onAdd { println("added ${it.metadata().name()}") }
                    .onUpdate { _, pod -> println("${pod.metadata().name()} is ${pod.status().phase()}") }
                    .onDelete { println("deleted ${it.objectName()}") }
            }
            factory.start()
            factory.awaitSynced(Duration.ofSeconds(30)).orThrow()

            val running = pods.lister().list().count { it.status().phase() == PodPhase.RUNNING }
            println("$running web servers run")
            client.resource(Pod.TYPE).inNamespace("default").create(pod("web-2", "nginx"))
            Thread.currentThread().join() // Until Ctrl-C.
        }
    }
}
