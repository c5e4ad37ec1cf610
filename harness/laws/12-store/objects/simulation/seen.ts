import type { KubeObject } from '../../../../api/objects.ts';
import type { ObjectPlace, StorePreconditions } from '../../../../contracts/store/index.ts';
import type { Random } from '../../../../sim/index.ts';
import { keyOf, type ObjectAnswer, type ObjectCall } from '../history.ts';
import type { PreconditionPlan, StepPlan, VersionPlan } from '../scenario/index.ts';

/** The distance of a precondition's version of the future: no run writes so often meanwhile. */
const FUTURE = 1_000;

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
    const metadata = {
      namespace,
      name,
      uid: this.#random.uuid(),
      labels: { app },
      annotations: { kept: 'always' },
      ...this.#versionOfCopy({ namespace, name }),
    };
    const data = { n: '0' };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data, status: { n: 0 } } as unknown as KubeObject;
  }

  /** A client that restores an object from a copy also sends the version of the copy. */
  #versionOfCopy(place: ObjectPlace): { readonly resourceVersion?: string } {
    const resourceVersion = this.#objects.get(keyOf(place))?.metadata.resourceVersion;
    return resourceVersion === undefined ? {} : { resourceVersion };
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
        resourceVersion: {
          seen: resourceVersion,
          wrong: '1',
          future: String(this.newest + FUTURE),
        }[plan.resourceVersion],
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
