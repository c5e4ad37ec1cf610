import type { KubeObject } from '../../../../api/objects.ts';
import type { ObjectPlace, StorePreconditions } from '../../../../contracts/store/index.ts';
import type { Random } from '../../../../sim/index.ts';
import { keyOf, type ObjectAnswer, type ObjectCall } from '../history.ts';
import type { PreconditionPlan, StepPlan, VersionPlan } from '../scenario/index.ts';

/** The facts that the clients share: they turn a plan into a call. */
export class Seen {
  readonly #random: Random;
  /** The last seen state of each place, and the newest seen revision. */
  readonly #objects = new Map<string, KubeObject>();
  newest = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Turns a plan into a call. */
  call(plan: Exclude<StepPlan, { readonly call: 'list' | 'elsewhere' }>): ObjectCall {
    const { place } = plan;
    switch (plan.call) {
      case 'create':
        return { call: 'create', object: this.#newObject(place, plan.app) };
      case 'get':
        return { call: 'get', place, options: this.versionOf(plan.version) };
      case 'update':
        return {
          call: 'update',
          place,
          change: plan.change,
          ...this.#preconditions(place, plan.preconditions),
        };
      case 'delete':
        return { call: 'delete', place, ...this.#preconditions(place, plan.preconditions) };
    }
  }

  #newObject({ namespace, name }: ObjectPlace, app: string): KubeObject {
    const metadata = { namespace, name, uid: this.#random.uuid(), labels: { app } };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { n: '0' } } as unknown as KubeObject;
  }

  /** Turns a planned version into an option. */
  versionOf(version: VersionPlan): { readonly resourceVersion?: string } {
    if (version === 'newest') return {};
    if (version === 'any') return { resourceVersion: '0' };
    return { resourceVersion: String(Math.max(1, this.newest + version.fromSeen)) };
  }

  #preconditions(
    place: ObjectPlace,
    plan: PreconditionPlan | undefined,
  ): { readonly preconditions?: StorePreconditions } {
    if (!plan) return {};
    const { uid = 'none', resourceVersion = '1' } = this.#objects.get(keyOf(place))?.metadata ?? {};
    const preconditions = {
      ...(plan.uid && { uid: plan.uid === 'seen' ? uid : 'another' }),
      ...(plan.resourceVersion && {
        resourceVersion: plan.resourceVersion === 'seen' ? resourceVersion : '1',
      }),
    };
    return { preconditions };
  }

  /** Notes an answer. */
  learn(answer: ObjectAnswer): void {
    const objects =
      answer.kind === 'object' ? [answer.object] : answer.kind === 'list' ? answer.list.items : [];
    for (const object of objects) {
      this.#objects.set(keyOf(placeOf(object)), object);
      this.newest = Math.max(this.newest, Number(object.metadata.resourceVersion));
    }
    if (answer.kind === 'list')
      this.newest = Math.max(this.newest, Number(answer.list.metadata.resourceVersion));
  }
}

export function placeOf({ metadata }: KubeObject): ObjectPlace {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}
