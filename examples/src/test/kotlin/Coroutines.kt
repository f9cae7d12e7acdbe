import dev.clientgo.kubernetes.core.v1.Pod
import dev.clientgo.rest.ResourceClient
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runInterruptible

suspend fun ResourceClient<Pod>.names(): List<String> =
    runInterruptible(Dispatchers.IO) { list().items().mapNotNull { it.metadata().name() } }
