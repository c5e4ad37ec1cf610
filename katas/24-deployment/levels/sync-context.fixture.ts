import { components } from '#components';
import {
  type DeploymentSyncContext,
  newDeploymentSyncContext,
  type Rollout,
  rolloutOf,
} from '#given/24-deployment';
import type { Deployment, ReplicaSet } from '#harness';
import { findNewReplicaSet } from '#kata/24-deployment/deployment';
import { type DeploymentParts, Stage, type StagedReplicaSet } from '#laws/24-deployment';

const PROCESS = 'deployment-controller';

/** A sync context in a cluster. Its caches have synced and follow the server; only the test writes. */
export class SyncContextStage implements AsyncDisposable {
  readonly stage: Stage;
  #syncContext: DeploymentSyncContext | undefined;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  /** @param parts of the Deployment `web` */
  static async open(parts: DeploymentParts = {}): Promise<SyncContextStage> {
    const opened = new SyncContextStage(await Stage.empty({ components }));
    opened.stage.cluster.run(PROCESS, async (context) => {
      const syncContext = newDeploymentSyncContext(context);
      await syncContext.caches.start();
      opened.#syncContext = syncContext;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    await opened.stage.create(parts);
    return opened;
  }

  get syncContext(): DeploymentSyncContext {
    return this.#syncContext as DeploymentSyncContext;
  }

  get deployment(): Deployment {
    return this.stage.deployment();
  }

  /** A ReplicaSet that the Deployment controls. */
  addOwn(name: string, parts: StagedReplicaSet = {}): Promise<ReplicaSet> {
    return this.stage.addReplicaSet(name, { ownerUid: this.deployment.metadata.uid, ...parts });
  }

  /** As the server has it now. */
  rollout(): Rollout {
    const owned = this.stage.owned();
    return rolloutOf(this.deployment, owned, findNewReplicaSet(this.deployment, owned));
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
    await this.stage.cluster.runUntil(() => done, 100_000);
    const result = await outcome;
    // Events travel by themselves.
    await this.stage.pass();
    if ('error' in result) throw result.error;
    return result.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }
}
