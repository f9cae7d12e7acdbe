package dev.clientgo.apimachinery.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of the package's page. */
final class ExampleTest {

  private static final GroupResource PODS = new GroupResource("", "pods");

  private final List<String> done = new ArrayList<>();

  @Test
  void page_predicates_tellTheCasesApart() {
    handle(ApiStatusException.conflict(PODS, "a", "it has changed"));
    handle(ApiStatusException.notFound(PODS, "a"));
    handle(ApiStatusException.tooManyRequests("slow down", 7));
    handle(ApiStatusException.internalError("no idea"));

    assertThat(done).containsExactly("read", "forget ApiStatusException", "PT7S", "PT5S");
  }

  private void handle(ApiStatusException answer) {
    Object object = answer;
    try {
      update(object);
    } catch (ApiStatusException e) {
      if (e.isConflict()) {
        readAgain(); // another client was faster
      } else if (e.isNotFound()) {
        forget(object); // it is gone, which is fine
      } else {
        retryAfter(e.retryAfter().orElse(Duration.ofSeconds(5)));
      }
    }
  }

  private static void update(Object object) {
    throw (ApiStatusException) object;
  }

  private void readAgain() {
    done.add("read");
  }

  private void forget(Object object) {
    done.add("forget " + object.getClass().getSimpleName());
  }

  private void retryAfter(Duration delay) {
    done.add(delay.toString());
  }
}
