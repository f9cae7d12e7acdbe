package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.kubernetes.batch.v1.CompletionMode;
import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.batch.v1.JobCondition;
import dev.clientgo.kubernetes.batch.v1.JobSpec;
import dev.clientgo.kubernetes.batch.v1.JobStatus;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicy;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyAction;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyOnExitCodesOperator;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of Jobs. */
abstract class JobContract extends ControllerContract {

  /** An image whose program succeeds at once. */
  static final String SUCCEEDS = "succeeds:1";

  /** An image whose program fails at once. */
  static final String FAILS = "fails:1";

  /** An image whose program runs until it is stopped. */
  static final String RUNS = "runs:1";

  private ResourceClient<Job> jobs;
  private ResourceClient<Pod> pods;

  @BeforeEach
  void prepare() throws Exception {
    String namespace = namespace();
    jobs = client().resource(Job.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
  }

  private static PodTemplateSpec template(String image) {
    return PodTemplateSpec.of(
        t -> t.spec(Workloads.podSpec(image).with(s -> s.restartPolicy(RestartPolicy.NEVER))));
  }

  private void create(String image, Consumer<JobSpec.Builder> settings) throws Exception {
    jobs.create(
        Job.of(
            j ->
                j.metadata(ObjectMeta.of(m -> m.name("work")))
                    .editSpec(
                        s -> {
                          s.template(template(image));
                          settings.accept(s);
                        })));
  }

  private Job awaitJob(Predicate<Job> condition) throws Exception {
    return await(jobs, "work", found -> found.filter(condition).isPresent()).orElseThrow();
  }

  private static boolean is(Job job, String type) {
    return job.status().conditions().stream()
        .anyMatch(c -> type.equals(c.type()) && "True".equals(c.status()));
  }

  @Test
  void job_completes() throws Exception {
    create(SUCCEEDS, s -> s.completions(2).parallelism(2));

    Job job = awaitJob(j -> is(j, "Complete"));

    JobStatus status = job.status();
    assertThat(status.succeeded()).isEqualTo(2);
    assertThat(status.active()).isNull();
    assertThat(status.failed()).isNull();
    assertThat(status.ready()).isZero();
    assertThat(status.terminating()).isZero();
    assertThat(status.startTime()).isNotNull();
    assertThat(status.completionTime()).isNotNull();
    assertThat(status.conditions())
        .extracting(JobCondition::type, JobCondition::reason, JobCondition::message)
        .containsExactly(
            tuple(
                "SuccessCriteriaMet",
                "CompletionsReached",
                "Reached expected number of succeeded pods"),
            tuple("Complete", "CompletionsReached", "Reached expected number of succeeded pods"));
    List<Pod> ended = pods.list().items();
    assertThat(ended)
        .hasSize(2)
        .allSatisfy(
            pod -> {
              assertThat(pod.metadata().finalizers()).isEmpty();
              assertThat(pod.metadata().labels())
                  .containsEntry("job-name", "work")
                  .containsEntry("batch.kubernetes.io/job-name", "work")
                  .containsEntry("controller-uid", job.metadata().uid())
                  .containsEntry("batch.kubernetes.io/controller-uid", job.metadata().uid());
            });
  }

  @Test
  void failingJob_reachesItsBackoffLimit() throws Exception {
    create(FAILS, s -> s.backoffLimit(0));

    Job job = awaitJob(j -> is(j, "Failed"));

    assertThat(job.status().failed()).isEqualTo(1);
    assertThat(job.status().completionTime()).isNull();
    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason)
        .containsExactly(
            tuple("FailureTarget", "BackoffLimitExceeded"),
            tuple("Failed", "BackoffLimitExceeded"));
  }

  @Test
  void indexedJob_runsEachIndex() throws Exception {
    create(SUCCEEDS, s -> s.completions(3).parallelism(3).completionMode(CompletionMode.INDEXED));

    Job job = awaitJob(j -> is(j, "Complete"));

    assertThat(job.status().completedIndexes()).isEqualTo("0-2");
    assertThat(pods.list().items())
        .extracting(
            p -> p.metadata().annotations().get("batch.kubernetes.io/job-completion-index"),
            p -> p.spec().hostname(),
            p -> p.spec().containers().get(0).env().get(0).name())
        .containsExactlyInAnyOrder(
            tuple("0", "work-0", "JOB_COMPLETION_INDEX"),
            tuple("1", "work-1", "JOB_COMPLETION_INDEX"),
            tuple("2", "work-2", "JOB_COMPLETION_INDEX"));
  }

  @Test
  void suspendedJob_runsWhenItIsResumed() throws Exception {
    create(SUCCEEDS, s -> s.suspend(true));
    Job suspended = awaitJob(j -> is(j, "Suspended"));
    assertThat(suspended.status().startTime()).isNull();
    assertThat(pods.list().items()).isEmpty();

    jobs.edit("work", j -> j.with(b -> b.editSpec(s -> s.suspend(false))));

    awaitJob(j -> is(j, "Complete") && !is(j, "Suspended"));
  }

  @Test
  void finishedJob_isDeletedAfterItsTime() throws Exception {
    create(SUCCEEDS, s -> s.ttlSecondsAfterFinished(1));

    awaitGone(jobs, "work");
    Poll.every(Duration.ofMillis(50))
        .immediately()
        .atMost(WAIT)
        .until(() -> pods.list().items().isEmpty());
  }

  @Test
  void podFailurePolicy_failsTheJobAtOnce() throws Exception {
    create(FAILS, s -> s.podFailurePolicy(onExitCode(3, PodFailurePolicyAction.FAIL_JOB)));

    Job job = awaitJob(j -> is(j, "Failed"));

    Pod pod = pods.list().items().get(0);
    String message =
        "Container main for pod %s/%s failed with exit code 3 matching FailJob rule at index 1"
            .formatted(pod.metadata().namespace(), pod.metadata().name());
    assertThat(job.status().failed()).isEqualTo(1);
    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason, JobCondition::message)
        .containsExactly(
            tuple("FailureTarget", "PodFailurePolicy", message),
            tuple("Failed", "PodFailurePolicy", message));
  }

  @Test
  void ignoredFailure_isNotCounted() throws Exception {
    create(
        FAILS,
        s -> s.backoffLimit(0).podFailurePolicy(onExitCode(3, PodFailurePolicyAction.IGNORE)));

    Poll.every(Duration.ofMillis(50))
        .immediately()
        .atMost(WAIT)
        .until(() -> pods.list().items().stream().anyMatch(JobContract::hasBeenLetGo));

    // A failure that counts is in one of the two before the pod is let go.
    Job job = jobs.get("work");
    assertThat(job.status().failed()).isNull();
    assertThat(job.status().uncountedTerminatedPods().failed()).isEmpty();
    assertThat(is(job, "Failed")).isFalse();
  }

  private static boolean hasBeenLetGo(Pod pod) {
    return PodPhase.FAILED.equals(pod.status().phase()) && pod.metadata().finalizers().isEmpty();
  }

  /** Returns a policy whose first rule does not match. */
  private static PodFailurePolicy onExitCode(int code, PodFailurePolicyAction action) {
    return PodFailurePolicy.of(
        p ->
            p.addRules(
                    r ->
                        r.action(PodFailurePolicyAction.COUNT)
                            .addOnPodConditions(c -> c.type("DisruptionTarget").status("True")))
                .addRules(
                    r ->
                        r.action(action)
                            .editOnExitCodes(
                                e ->
                                    e.operator(PodFailurePolicyOnExitCodesOperator.IN)
                                        .values(List.of(code)))));
  }

  @Test
  void successPolicy_endsTheJobBeforeAllIndexesHaveSucceeded() throws Exception {
    create(
        SUCCEEDS,
        s ->
            s.completions(3)
                .parallelism(1)
                .completionMode(CompletionMode.INDEXED)
                .editSuccessPolicy(
                    p -> p.addRules(r -> r.succeededIndexes("0,2").succeededCount(1))));

    Job job = awaitJob(j -> is(j, "Complete"));

    assertThat(job.status().completedIndexes()).isEqualTo("0");
    assertThat(job.status().succeeded()).isEqualTo(1);
    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason, JobCondition::message)
        .containsExactly(
            tuple("SuccessCriteriaMet", "SuccessPolicy", "Matched rules at index 0"),
            tuple("Complete", "SuccessPolicy", "Matched rules at index 0"));
  }

  @Test
  void failedIndexes_failTheJobWhenAllHaveEnded() throws Exception {
    create(
        FAILS,
        s ->
            s.completions(2)
                .parallelism(1)
                .completionMode(CompletionMode.INDEXED)
                .backoffLimitPerIndex(0));

    Job job = awaitJob(j -> is(j, "Failed"));

    assertThat(job.status().failedIndexes()).isEqualTo("0,1");
    assertThat(job.status().failed()).isEqualTo(2);
    assertThat(job.status().succeeded()).isNull();
    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason, JobCondition::message)
        .containsExactly(
            tuple("FailureTarget", "FailedIndexes", "Job has failed indexes"),
            tuple("Failed", "FailedIndexes", "Job has failed indexes"));
    assertThat(failureCounts()).containsExactlyInAnyOrder("0:0", "1:0");
  }

  @Test
  void failedIndex_isTriedAgainUntilItsLimit() throws Exception {
    create(
        FAILS,
        s -> s.completions(1).completionMode(CompletionMode.INDEXED).backoffLimitPerIndex(1));

    Job job = awaitJob(j -> is(j, "Failed"));

    assertThat(job.status().failedIndexes()).isEqualTo("0");
    assertThat(job.status().failed()).isEqualTo(2);
    assertThat(failureCounts()).containsExactlyInAnyOrder("0:0", "0:1");
  }

  @Test
  void tooManyFailedIndexes_failTheJobAtOnce() throws Exception {
    create(
        FAILS,
        s ->
            s.completions(3)
                .parallelism(1)
                .completionMode(CompletionMode.INDEXED)
                .backoffLimitPerIndex(0)
                .maxFailedIndexes(1));

    Job job = awaitJob(j -> is(j, "Failed"));

    assertThat(job.status().failedIndexes()).isEqualTo("0,1");
    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason, JobCondition::message)
        .contains(
            tuple(
                "Failed",
                "MaxFailedIndexesExceeded",
                "Job has exceeded the specified maximal number of failed indexes"));
    assertThat(pods.list().items()).hasSize(2);
  }

  @Test
  void failIndex_failsTheIndexBeforeItsLimit() throws Exception {
    create(
        FAILS,
        s ->
            s.completions(1)
                .completionMode(CompletionMode.INDEXED)
                .backoffLimitPerIndex(5)
                .podFailurePolicy(onExitCode(3, PodFailurePolicyAction.FAIL_INDEX)));

    Job job = awaitJob(j -> is(j, "Failed"));

    assertThat(job.status().failedIndexes()).isEqualTo("0");
    assertThat(job.status().failed()).isEqualTo(1);
    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason)
        .contains(tuple("Failed", "FailedIndexes"));
  }

  @Test
  void indexesThatSucceed_failNoIndex() throws Exception {
    create(
        SUCCEEDS,
        s ->
            s.completions(2)
                .parallelism(2)
                .completionMode(CompletionMode.INDEXED)
                .backoffLimitPerIndex(0));

    Job job = awaitJob(j -> is(j, "Complete"));

    assertThat(job.status().completedIndexes()).isEqualTo("0,1");
    assertThat(job.status().failedIndexes()).isEmpty();
  }

  /** Returns the index of each pod, and how many pods of it had failed before. */
  private List<String> failureCounts() throws Exception {
    return pods.list().items().stream()
        .map(pod -> pod.metadata().annotations())
        .map(
            a ->
                a.get("batch.kubernetes.io/job-completion-index")
                    + ":"
                    + a.get("batch.kubernetes.io/job-index-failure-count"))
        .toList();
  }

  @Test
  void deadline_failsTheJob() throws Exception {
    create(RUNS, s -> s.activeDeadlineSeconds(1L));

    Job job = awaitJob(j -> is(j, "Failed"));

    assertThat(job.status().conditions())
        .extracting(JobCondition::type, JobCondition::reason, JobCondition::message)
        .contains(
            tuple("Failed", "DeadlineExceeded", "Job was active longer than specified deadline"));
  }
}
