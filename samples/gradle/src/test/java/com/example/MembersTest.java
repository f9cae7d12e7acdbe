package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.api.Clientset;
import com.example.api.InformerFactory;
import com.example.api.v1.Team;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@ApiServerTest(crds = "src/main/crds")
final class MembersTest {

  @Test
  void teamsOfAPerson_areNamed(RESTClient client, @TestNamespace String namespace) throws Exception {
    var teams = Clientset.of(client).exampleCom().v1().teams(namespace);
    teams.create(Team.of(namespace, "shop", t -> t.editSpec(spec -> spec.members(List.of("ada", "li")))));
    teams.create(Team.of(namespace, "mail", t -> t.editSpec(spec -> spec.members(List.of("li")))));

    try (var factory = InformerFactory.create(client)) {
      var members = new Members(factory.exampleCom().v1().teams().lister());
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();

      assertEquals(List.of("shop"), members.teamsOf("ada"));
      assertEquals(List.of("mail", "shop"), members.teamsOf("li"));
    }
  }
}
