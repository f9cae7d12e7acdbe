package com.example;

import com.example.api.InformerFactory;
import com.example.api.v1.Team;
import dev.clientgo.cache.Lister;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.time.Duration;
import java.util.List;

/** Names the teams of a person, from a cache that follows the cluster. */
public final class Members {

  private final Lister<Team> teams;

  public Members(Lister<Team> teams) {
    this.teams = teams;
  }

  public List<String> teamsOf(String person) {
    return teams.list().stream()
        .filter(team -> team.spec().members().contains(person))
        .map(team -> team.metadata().name())
        .sorted()
        .toList();
  }

  public static void main(String[] args) throws InterruptedException {
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var factory = InformerFactory.create(client)) {
      var members = new Members(factory.exampleCom().v1().teams().lister());
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      System.out.println(members.teamsOf(args[0]));
    }
  }
}
