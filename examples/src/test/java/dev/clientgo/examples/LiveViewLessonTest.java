package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class LiveViewLessonTest {

  @Test
  void liveView_embedded_servesThePageAndItsScenes() throws Exception {
    try (RunningLesson lesson = RunningLesson.start("live-view", "--rate", "10")) {
      lesson.await("The live view: http://127.0.0.1:", "/");
      Matcher url = Pattern.compile("http://[^ \\n]+/").matcher(lesson.printed());
      assertThat(url.find()).isTrue();
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest request = HttpRequest.newBuilder(URI.create(url.group() + "picture")).build();

      assertThat(client.send(request, BodyHandlers.ofString()).body())
          .contains("\"control\":true", "unseen-delete", "没人看见的删除", "\"name\":\"pods\"");
      lesson.end();
    }
  }
}
