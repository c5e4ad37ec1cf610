import type { Deployment, New, ReplicaSet } from '../../api/objects.ts';
import { deployments, replicaSets } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { editDeployment } from '../../cluster/edit-deployment.ts';
import type { Client } from '../../contracts/client.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { Asked, Bystander } from './scenario.ts';
import { NAMESPACE, type UserEdit } from './step.ts';

/** Who edits, in the journal. */
const USER = 'kubectl';

const KEY = { namespace: NAMESPACE, name: 'web' };

/** What people do to a Deployment, with kubectl; behind the scenes, at once, and without a fault. */
export class User {
  readonly #stage: Stage;
  readonly #client: Client;
  readonly #original: New<Deployment>;

  constructor(cluster: Cluster, asked: Asked) {
    this.#stage = new Stage(cluster);
    this.#client = cluster.as(USER);
    this.#original = deploymentOf(asked);
  }

  async create(): Promise<void> {
    await this.#client.create(deployments, this.#original);
    this.#note('create');
  }

  /** Does it, and says so in the trace: a timeline without those who edit would be a riddle. */
  async do(edit: UserEdit): Promise<void> {
    await this.#do(edit);
    if (edit.edit !== 'nothing') this.#note(saidOf(edit));
  }

  #note(verb: string): void {
    this.#stage.note(USER, verb, 'deployments/default/web');
  }

  async #do(edit: UserEdit): Promise<void> {
    switch (edit.edit) {
      case 'nothing':
        return;
      case 'recreate':
        await this.#client.delete(deployments, KEY, { propagationPolicy: 'Background' });
        await this.create();
        return;
      case 'resize-history': {
        const body = { spec: { revisionHistoryLimit: edit.limit } };
        await this.#client.patch(deployments, KEY, { type: 'merge', body });
        return;
      }
      case 'undo': {
        // As kubectl has it: what is paused is not rolled back.
        const { spec } = await this.#client.get(deployments, KEY);
        if (!spec.paused) await editDeployment(this.#client, KEY, edit);
        return;
      }
      default:
        await editDeployment(this.#client, KEY, edit);
    }
  }

  async add(bystander: Bystander): Promise<void> {
    await this.#client.create(replicaSets, bystanderOf(bystander, this.#original));
  }
}

/** `set image nginx:1.27`, as one would type it. */
function saidOf(edit: UserEdit): string {
  switch (edit.edit) {
    case 'image':
      return `set image ${edit.image}`;
    case 'scale':
      return `scale --replicas=${edit.replicas}`;
    case 'strategy': {
      const { type, rollingUpdate: { maxSurge, maxUnavailable } = {} } = edit.strategy;
      return type === 'Recreate' ? 'strategy Recreate' : `strategy +${maxSurge} -${maxUnavailable}`;
    }
    case 'resize-history':
      return `keep ${edit.limit} old`;
    default:
      return edit.edit;
  }
}

function deploymentOf({ image, ...spec }: Asked): New<Deployment> {
  const labels = { app: 'web' };
  return {
    metadata: KEY,
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

const SOMEBODY = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'somebody', uid: 'somebody-else' };

function bystanderOf(bystander: Bystander, { spec }: New<Deployment>): New<ReplicaSet> {
  const labels: Record<string, string> =
    bystander === 'stranger' ? { app: 'other' } : { app: 'web', of: bystander };
  const template =
    bystander === 'twin'
      ? { ...spec.template, metadata: { ...spec.template.metadata, labels: { app: 'web' } } }
      : { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.0' }] } };
  const owners =
    bystander === 'taken'
      ? { ownerReferences: [{ ...SOMEBODY, controller: true, blockOwnerDeletion: true }] }
      : {};
  return {
    metadata: { namespace: NAMESPACE, name: `a-${bystander}`, labels, ...owners },
    spec: {
      // What is adopted has to be drained; what is not stays as it is.
      replicas: bystander === 'twin' || bystander === 'orphan' ? 1 : 0,
      selector: { matchLabels: bystander === 'twin' ? { app: 'web' } : labels },
      template,
    },
  };
}
