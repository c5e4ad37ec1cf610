import { componentTable } from '../../cluster/component-table.ts';
import type { Process } from '../../cluster/process.ts';
import type { Components } from '../../contracts/component.ts';
import type { CniPlugin } from '../../contracts/node/index.ts';
import type { Action } from '../protocol/recipe.ts';
import type { Owner } from '../protocol/view.ts';

/** The name of a part of a cluster. */
export type PartName = keyof Components;

/** A version of a part: the reference, or the nth version of the learner's file. */
export type PartVersion = Extract<Action, { do: 'use' }>['version'];

/** The implementations that a run can choose from. */
export interface Implementations {
  readonly reference: Components;
  /**
   * Returns the part of the learner's file as it was when it was loaded for the nth time.
   *
   * @throws Error when this version was never loaded, as in a recipe of another page
   */
  own<K extends PartName>(part: K, version: number): Components[K];
}

/** The implementations of a page without learner's files. */
export function onlyReference(reference: Components): Implementations {
  return {
    reference,
    own(part) {
      const { kata } = componentTable[part];
      throw new Error(
        `Failed to use your ${part}: this page has no file of ${kata}. Open it with npm run page.`,
      );
    },
  };
}

/** The parts of one cluster, which can be replaced while it runs. */
export class Parts {
  /** The components for the cluster. A replaced part takes effect when its process starts again. */
  readonly components: Components;
  readonly #implementations: Implementations;
  readonly #versions = new Map<PartName, number>();

  constructor(implementations: Implementations) {
    this.#implementations = implementations;
    const { reference } = implementations;
    // A machine keeps its plugins. Each process of a plugin runs the current one.
    const podNetwork: CniPlugin = (process) => this.#current.podNetwork(process);
    const ipam: CniPlugin = (process) => this.#current.ipam(process);
    this.#current = { ...reference };
    this.components = new Proxy(this.#current, {
      get: (parts, part) => ({ podNetwork, ipam })[part as string] ?? Reflect.get(parts, part),
    });
  }

  readonly #current: Components;

  /** Replaces a part. @throws Error when this version does not exist */
  use(part: PartName, version: PartVersion): void {
    const { reference, own } = this.#implementations;
    Object.assign(this.#current, { [part]: version === 'reference' ? reference[part] : own(part, version) });
    if (version === 'reference') this.#versions.delete(part);
    else this.#versions.set(part, version);
  }

  ownerOf(part: PartName): Owner {
    return this.#versions.has(part) ? 'yours' : 'reference';
  }
}

/** Returns the parts that a kata builds. */
export function partsIn(kata: string): readonly PartName[] {
  return (Object.keys(componentTable) as PartName[]).filter((part) => componentTable[part].kata === kata);
}

/** Returns the processes that run a part, or use it. */
export function usersOf(part: PartName, processes: readonly Process[]): readonly Process[] {
  const { name } = componentTable[part].process ?? {};
  if (name !== undefined) return processes.filter((process) => `${process.name}-`.startsWith(`${name}-`));
  const users = partUsers[part];
  return users
    ? processes.filter((process) => users.some((user) => `${process.name}-`.startsWith(`${user}-`)))
    : processes;
}

/** The processes that use a part without a process. Any process uses the others: informers and workqueues. */
const partUsers: { readonly [K in PartName]?: readonly string[] } = {
  filtering: ['default-scheduler'],
  scoring: ['default-scheduler'],
  volumeBinding: ['default-scheduler'],
  probeManager: ['kubelet'],
  imageManager: ['kubelet'],
  volumeManager: ['kubelet'],
  // Each command of the prompt uses the current one.
  apply: [],
  // An apiserver asks the current ones at each request.
  access: [],
  admission: [],
  keyValueStore: [],
  // Each call of a plugin is another process, and dns runs in the pods of CoreDNS.
  ipam: [],
  podNetwork: [],
  dns: [],
};
