import { newReplicaSetSyncContext, type ReplicaSetSyncContext } from '#given/23-replicaset';
import type { ReplicaSet } from '#harness';
import { Expectations } from '#kata/23-replicaset/replicaset';
import { PROCESS, Stage } from './stage.fixture.ts';

/**
 * A stage with a sync context and no controller: its caches are synced and up to date, but no handler reports events to its expectations.
 */
export class SyncContextStage extends Stage {
  #syncContext: ReplicaSetSyncContext | undefined;

  static async open(): Promise<SyncContextStage> {
    const stage = new SyncContextStage(await Stage.cluster());
    stage.cluster.run(PROCESS, async (context) => {
      const syncContext = newReplicaSetSyncContext(context, new Expectations(context.clock));
      await syncContext.caches.start();
      stage.#syncContext = syncContext;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    await stage.pass();
    return stage;
  }

  get syncContext(): ReplicaSetSyncContext {
    return this.#syncContext as ReplicaSetSyncContext;
  }

  /** The cached ReplicaSet. */
  cached(): ReplicaSet {
    return this.syncContext.caches.replicaSet('default/web') as ReplicaSet;
  }

  /** Runs the cluster until the promise has settled. */
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
    if ('error' in result) throw result.error;
    return result.value;
  }
}
