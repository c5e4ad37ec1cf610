import type { Cluster } from '../../cluster/cluster.ts';
import { processCalled } from '../../cluster/component-table.ts';
import type { Fault } from '../../faults/index.ts';
import type { PlaceId } from '../protocol/view.ts';
import type { JournalIndex } from './journal-index.ts';

/** The apiserver that a request reaches. A trace does not show which replica answered. */
export const APISERVER_PLACE: PlaceId = 'apiserver:0';

/** The container runtime of a node, and its network plugins. */
const ON_NODE = /^(?:containerd|crio|cri-dockerd|cni)-(.+)$/;

/** The places of the actors of one cluster. */
export class Places {
  readonly #cluster: Cluster;
  readonly #index: JournalIndex;
  readonly #known = new Map<string, PlaceId>();

  constructor(cluster: Cluster, index: JournalIndex) {
    this.#cluster = cluster;
    this.#index = index;
  }

  /** Returns the place of an actor in the trace: `process:kubelet-node-1`, `node:node-1` for `cni-node-1`. */
  of(actor: string): PlaceId {
    const known = this.#known.get(actor);
    if (known) return known;
    const place = this.#find(actor);
    this.#known.set(actor, place);
    return place;
  }

  /** Returns the node of a process, or of a container runtime. */
  nodeOf(actor: string): string | undefined {
    const node = ON_NODE.exec(actor)?.[1] ?? this.#process(actor)?.node;
    return node !== undefined && this.#cluster.machine(node) ? node : undefined;
  }

  /** Returns the place that a fault strikes. */
  ofFault(fault: Fault): PlaceId {
    if ('process' in fault) return this.of(fault.process);
    if ('node' in fault) return `node:${fault.node}`;
    return 'replica' in fault ? `apiserver:${fault.replica}` : APISERVER_PLACE;
  }

  /** Returns the place of a step of a packet. @param namespace the pod's name; empty for the machine itself */
  ofHop({ node, namespace }: { readonly node: string; readonly namespace: string }): PlaceId {
    if (namespace !== '') {
      const key = this.#index.podNamed(namespace);
      if (key !== undefined) return `pod:${key}`;
    }
    if (this.#cluster.machine(node)) return `node:${node}`;
    return node === 'router' ? 'cloud' : `outside:${node}`;
  }

  #find(actor: string): PlaceId {
    if (/^apiserver-\d+$/.test(actor)) return `apiserver:${actor.slice('apiserver-'.length)}`;
    const isComponent = processCalled(actor) !== undefined;
    const pod = isComponent ? undefined : this.#index.podNamed(actor);
    if (pod !== undefined) return `pod:${pod}`;
    const node = ON_NODE.exec(actor)?.[1];
    if (node !== undefined && this.#cluster.machine(node)) return `node:${node}`;
    return isComponent || this.#process(actor) ? `process:${actor}` : `user:${actor}`;
  }

  #process(actor: string) {
    return this.#cluster.processes.find(({ name }) => name === actor);
  }
}
