import { components } from '#components';
import {
  type Deployment,
  type DeploymentDesk,
  newDeploymentDesk,
  type ReplicaSet,
  type Rollout,
  rolloutOf,
} from '#harness';
import { findNewReplicaSet } from '#kata/24-deployment/deployment';
import { type DeploymentParts, Stage, type StagedReplicaSet } from '#laws/24-deployment';

const PROCESS = 'deployment-controller';

/** A desk in a cluster: its caches have synced and are kept up to date, and nothing is done but what a test does. */
export class DeskStage implements AsyncDisposable {
  readonly stage: Stage;
  #desk: DeploymentDesk | undefined;

  private constructor(stage: Stage) {
    this.stage = stage;
  }

  /** @param parts of the Deployment `web` */
  static async open(parts: DeploymentParts = {}): Promise<DeskStage> {
    const opened = new DeskStage(await Stage.empty({ components }));
    opened.stage.cluster.run(PROCESS, async (context) => {
      const desk = newDeploymentDesk(context);
      await desk.caches.start();
      opened.#desk = desk;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    await opened.stage.create(parts);
    return opened;
  }

  get desk(): DeploymentDesk {
    return this.#desk as DeploymentDesk;
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
