import { newReplicaSetDesk, type ReplicaSet, type ReplicaSetDesk } from '#harness';
import { Expectations } from '#kata/23-replicaset/replicaset';
import { PROCESS, Stage } from './stage.fixture.ts';

/**
 * A desk on a stage: its caches have synced and are kept up to date, its expectations observe nothing, and nothing is done but what
 * a test does.
 */
export class DeskStage extends Stage {
  #desk: ReplicaSetDesk | undefined;

  static async open(): Promise<DeskStage> {
    const stage = new DeskStage(await Stage.cluster());
    stage.cluster.run(PROCESS, async (context) => {
      const desk = newReplicaSetDesk(context, new Expectations(context.clock));
      await desk.caches.start();
      stage.#desk = desk;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    await stage.pass();
    return stage;
  }

  get desk(): ReplicaSetDesk {
    return this.#desk as ReplicaSetDesk;
  }

  /** The ReplicaSet as the cache has it. */
  cached(): ReplicaSet {
    return this.desk.caches.replicaSet('default/web') as ReplicaSet;
  }

  /** Lets the cluster work until this has settled. */
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
