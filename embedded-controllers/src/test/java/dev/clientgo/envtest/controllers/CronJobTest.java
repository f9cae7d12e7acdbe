package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.kubernetes.batch.v1.ConcurrencyPolicy;
import dev.clientgo.kubernetes.batch.v1.CronJob;
import dev.clientgo.kubernetes.batch.v1.CronJobSpec;
import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** CronJobs by a fake clock: the time of a real cluster would be minutes. */
@Timeout(300)
final class CronJobTest {

  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofMinutes(5);

  private final FakeClock clock = FakeClock.create();
  private final EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private final ResourceClient<CronJob> cronJobs =
      client.resource(CronJob.TYPE).inNamespace("default");
  private final ResourceClient<Job> jobs = client.resource(Job.TYPE).inNamespace("default");
  private EmbeddedControllers controllers;

  @BeforeEach
  void start() throws Exception {
    controllers =
        EmbeddedControllers.builder(server)
            .clock(clock)
            .pods(PodScript.builder().image("endless", PodLife.runs()).build())
            .start();
  }

  @AfterEach
  void stop() {
    controllers.close();
    client.close();
    server.close();
  }

  private void create(String image, Consumer<CronJobSpec.Builder> settings) throws Exception {
    cronJobs.create(
        CronJob.of(
            c ->
                c.metadata(ObjectMeta.of(m -> m.name("cron")))
                    .editSpec(
                        s -> {
                          s.schedule("*/5 * * * *")
                              .editJobTemplate(
                                  t ->
                                      t.editSpec(
                                          j ->
                                              j.editTemplate(
                                                  p ->
                                                      p.spec(
                                                          Workloads.podSpec(image)
                                                              .with(
                                                                  q ->
                                                                      q.restartPolicy(
                                                                          RestartPolicy.NEVER))))));
                          settings.accept(s);
                        })));
  }

  private CronJob awaitCronJob(Predicate<CronJob> condition) throws Exception {
    return cronJobs.await("cron", found -> found.filter(condition).isPresent(), WAIT).orElseThrow();
  }

  private static boolean wasScheduledAt(CronJob cronJob, Instant time) {
    return Time.of(time).equals(cronJob.status().lastScheduleTime());
  }

  @Test
  void day_hasAJobEachHour_andTheLastThreeStay() throws Exception {
    Duration hour = Duration.ofHours(1);
    create("any", s -> s.schedule("0 * * * *"));
    awaitCronJob(c -> true);
    Set<String> created = new TreeSet<>();
    for (int i = 0; i < 24; i++) {
      clock.advance(hour);
      Instant now = clock.now();
      awaitCronJob(
          c ->
              wasScheduledAt(c, now)
                  && Time.of(now).equals(c.status().lastSuccessfulTime())
                  && c.status().active().isEmpty());
      jobs.list().items().forEach(job -> created.add(String.valueOf(job.metadata().name())));
    }
    assertThat(created).hasSize(24);

    List<String> names =
        List.of(
            name(clock.now().minus(hour.multipliedBy(2))),
            name(clock.now().minus(hour)),
            name(clock.now()));
    awaitNames(names);
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
    Poll.every(Duration.ofMillis(20))
        .immediately()
        .atMost(WAIT)
        .until(() -> pods.list().items().size() == 3);
  }

  private static String name(Instant time) {
    return "cron-" + time.getEpochSecond() / 60;
  }

  private void awaitNames(List<String> names) throws Exception {
    Poll.every(Duration.ofMillis(20))
        .immediately()
        .atMost(WAIT)
        .until(
            () ->
                jobs.list().items().stream()
                    .map(job -> job.metadata().name())
                    .sorted()
                    .toList()
                    .equals(names));
  }

  @Test
  void missedTimes_areOneJob() throws Exception {
    create("any", s -> {});
    clock.advance(Duration.ofHours(2));

    awaitCronJob(c -> wasScheduledAt(c, clock.now()));

    assertThat(jobs.list().items()).hasSize(1);
    assertThat(jobs.list().items().get(0).metadata().annotations())
        .containsEntry("batch.kubernetes.io/cronjob-scheduled-timestamp", "2026-01-01T02:00:00Z");
  }

  @Test
  void forbid_waitsForTheJobThatRuns() throws Exception {
    create("endless", s -> s.concurrencyPolicy(ConcurrencyPolicy.FORBID));
    clock.advance(STEP);
    Instant first = clock.now();
    awaitCronJob(c -> wasScheduledAt(c, first) && c.status().active().size() == 1);

    clock.advance(STEP);
    jobs.delete(name(first));

    awaitCronJob(c -> wasScheduledAt(c, clock.now()));
    assertThat(jobs.list().items())
        .extracting(job -> job.metadata().name())
        .contains(name(clock.now()));
  }

  @Test
  void replace_deletesTheJobThatRuns() throws Exception {
    create("endless", s -> s.concurrencyPolicy(ConcurrencyPolicy.REPLACE));
    clock.advance(STEP);
    Instant first = clock.now();
    awaitCronJob(c -> wasScheduledAt(c, first) && c.status().active().size() == 1);

    clock.advance(STEP);

    CronJob cronJob = awaitCronJob(c -> wasScheduledAt(c, clock.now()));
    assertThat(cronJob.status().active())
        .extracting(reference -> reference.name())
        .containsExactly(name(clock.now()));
    jobs.await(name(first), found -> found.isEmpty(), WAIT);
  }

  @Test
  void timeZone_isThatOfTheSchedule() throws Exception {
    create("any", s -> s.schedule("0 3 * * *").timeZone("Asia/Tokyo"));
    clock.advance(Duration.ofHours(18)); // 03:00 in Tokyo.

    CronJob cronJob = awaitCronJob(c -> Objects.nonNull(c.status().lastScheduleTime()));

    assertThat(cronJob.status().lastScheduleTime()).isEqualTo(Time.parse("2026-01-01T18:00:00Z"));
  }
}
