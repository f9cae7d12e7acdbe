package dev.clientgo.apimachinery.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of the package's page. */
final class ExampleTest {

  private final List<String> done = new ArrayList<>();

  @Test
  void page_kinds_areCaughtByTheirTypes() {
    handle(new TransportException(TransportException.Kind.CONNECTION_LOST, "cut", null));
    handle(CodecException.malformed("no JSON", "", 3, null));
    handle(new ConfigException("no such context"));

    assertThat(done).hasSize(3);
    assertThat(done.get(0)).isEqualTo("again");
    assertThat(done.get(1)).startsWith("report").contains("no JSON");
    assertThat(done.get(2)).isEqualTo("give up: no such context");
  }

  private void handle(KubernetesException object) {
    try {
      update(object);
    } catch (TransportException e) {
      tryAgain(); // the server may have acted or not
    } catch (CodecException e) {
      report(e.getMessage()); // names the object and the place in the bytes
    } catch (KubernetesException e) {
      giveUp(e);
    }
  }

  private static void update(KubernetesException error) {
    throw error;
  }

  private void tryAgain() {
    done.add("again");
  }

  private void report(String message) {
    done.add("report " + message);
  }

  private void giveUp(KubernetesException error) {
    done.add("give up: " + error.getMessage());
  }
}
