import { type JobSyncContext, newJobSyncContext } from '#given/65-job';
import { type Client, formatTime, type Job, newControllerRef, type Pod, pods } from '#harness';
import { intercept } from '#harness/testing';
import { aState, type StateParts } from './objects.fixture.ts';
import { NAMESPACE, PROCESS, Stage } from './stage.fixture.ts';

type Send = Parameters<typeof intercept>[1];

/** A stage with a sync context and no controller: its caches are up to date, but no handler records or enqueues. */
export class SyncContextStage extends Stage {
  #syncContext: JobSyncContext | undefined;

  /** @param send intercepts the requests of the sync context */
  static async open(send?: Send): Promise<SyncContextStage> {
    const stage = new SyncContextStage(await Stage.cluster());
    stage.cluster.run(PROCESS, async (context) => {
      const client: Client = send ? intercept(context.client, send) : context.client;
      const syncContext = newJobSyncContext({ ...context, client });
      await syncContext.caches.start();
      stage.#syncContext = syncContext;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    await stage.pass(100);
    return stage;
  }

  get syncContext(): JobSyncContext {
    return this.#syncContext as JobSyncContext;
  }

  /** The cached Job. */
  cached(name = 'pi'): Job {
    return this.syncContext.caches.job(`${NAMESPACE}/${name}`) as Job;
  }

  /** Creates a pod of the Job, in this phase. */
  async addPod(
    name: string,
    phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' = 'Pending',
    parts: object = {},
  ): Promise<Pod> {
    const job = this.job();
    const pod = await this.admin.create(pods, {
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: job.spec.template.metadata?.labels ?? {},
        finalizers: ['batch.kubernetes.io/job-tracking'],
        ownerReferences: [newControllerRef(job, 'Job')],
        ...parts,
      },
      spec: { containers: [{ name: 'main', image: 'busybox' }] },
    });
    if (phase !== 'Pending') await this.setPhase(pod, phase);
    await this.pass(100);
    return pod;
  }

  /** Returns the state of a sync of now. The test sets the counts of successes and failures. */
  state(parts: StateParts = {}) {
    const job = this.cached();
    return aState({ job, pods: this.syncContext.caches.ownPods(job), ...parts });
  }

  /** The same, of a Job that has started. */
  startedState(parts: StateParts = {}) {
    const stored = this.cached();
    const startTime = stored.status.startTime ?? formatTime(this.cluster.clock.now());
    const job = { ...stored, status: { ...stored.status, startTime } };
    return { ...this.state(parts), stored, job };
  }

  /** Runs the cluster until the promise has settled. Rejects as the promise does. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const outcome = promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    outcome.then(() => {
      done = true;
    });
    await this.cluster.runUntil(() => done, 100_000);
    const result = await outcome;
    await this.pass(100);
    if ('error' in result) throw result.error;
    return result.value;
  }
}
