import type { EndpointSlice, Node, Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import {
  deployments,
  endpointSlices,
  groupResource,
  nodes,
  pods,
  type Resource,
  replicaSets,
  services,
} from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type {
  ApiServerView,
  ClusterView,
  ComponentView,
  DeploymentView,
  NodeView,
  PodView,
  ServiceView,
  WorkloadView,
} from '../protocol/view.ts';
import type { ComponentViews } from './component-views.ts';
import { FaultViews } from './fault-views.ts';
import { grouped } from './grouped.ts';
import { type JournalIndex, stored } from './journal-index.ts';
import { nodeViewOf } from './node-view.ts';
import { otherWorkloadViewsOf, workloadResources } from './owner-views.ts';
import type { Places } from './places.ts';
import { podViewOf } from './pod-view.ts';
import { Kept, sameFields, sameList } from './same.ts';
import { deploymentViewsOf, serviceViewsOf } from './workload-views.ts';

/** Dependencies of {@link ClusterViews}. */
interface ClusterViewsOptions {
  readonly cluster: Cluster;
  readonly index: JournalIndex;
  readonly places: Places;
  readonly components: ComponentViews;
  readonly zeroMs: number;
}

/** The parts of a picture that come from stored objects. They change only with a write of their resource. */
interface Stored {
  readonly podsByNode: ReadonlyMap<string | undefined, readonly PodView[]>;
  readonly nodes: readonly Node[];
  readonly deployments: readonly DeploymentView[];
  readonly workloads: readonly WorkloadView[];
  readonly services: readonly ServiceView[];
}

/**
 * The pictures of one cluster. Whatever has not changed since the last picture is the same object: stored objects are
 * frozen and shared, so an unchanged object has an unchanged picture.
 */
export class ClusterViews {
  readonly #options: ClusterViewsOptions;
  readonly #faults: FaultViews;
  readonly #nodes = new Kept<NodeView>();
  readonly #apiservers = new Kept<ApiServerView>();
  readonly #podViews = new WeakMap<
    Pod,
    { readonly replicaSet: ReplicaSet | undefined; readonly view: PodView }
  >();
  readonly #revisions = new Map<string, number>();
  #stored: Stored | undefined;
  #last: ClusterView | undefined;

  constructor(options: ClusterViewsOptions) {
    this.#options = options;
    this.#faults = new FaultViews(options);
  }

  /** Returns the cluster now; the same object as last time if nothing but the time has changed. */
  now(): ClusterView {
    const { cluster, components, zeroMs } = this.#options;
    const last = this.#last;
    const kept = this.#fromStorage();
    const all = components.all();
    const byNode = grouped(all, ({ process }) => process.node);
    const view: ClusterView = {
      atMs: cluster.sim.elapsedMs - zeroMs,
      revision: cluster.storage.revision,
      apiservers: sameList(last?.apiservers, cluster.replicas.map(this.#apiserver)),
      components: sameList(last?.components, viewsIn(byNode.get(undefined))),
      nodes: sameList(last?.nodes, this.#nodeViews(kept, byNode)),
      pending: sameList(last?.pending, kept.podsByNode.get(undefined) ?? []),
      deployments: kept.deployments,
      workloads: kept.workloads,
      services: kept.services,
      faults: sameList(last?.faults, this.#faults.now()),
    };
    this.#last = last && sameFields(last, { ...view, atMs: last.atMs }) === last ? last : view;
    return this.#last;
  }

  readonly #apiserver = ({ up, server }: Cluster['replicas'][number], index: number): ApiServerView =>
    this.#apiservers.keep(`${index}`, { index, isUp: up, cacheRevision: server.cache.position });

  #nodeViews(
    { nodes, podsByNode }: Stored,
    byNode: ReadonlyMap<string | undefined, readonly { readonly view: ComponentView }[]>,
  ): readonly NodeView[] {
    const { cluster } = this.#options;
    const objects = new Map(nodes.map((each) => [each.metadata.name, each]));
    const names = new Set([...cluster.machines.map(({ node }) => node), ...objects.keys()]);
    return [...names].map((name) => {
      const before = this.#nodes.get(name);
      const machine = cluster.machine(name);
      const view = nodeViewOf({
        name,
        object: objects.get(name),
        machine,
        isPartitioned: this.#faults.isPartitioned(name),
        components: sameList(before?.components, viewsIn(byNode.get(name))),
        pods: sameList(before?.pods, podsByNode.get(name) ?? []),
      });
      return this.#nodes.keep(name, {
        ...view,
        taints: sameList(before?.taints, view.taints),
        pressures: sameList(before?.pressures, view.pressures),
      });
    });
  }

  /** Reads the resources that have been written since the last time. */
  #fromStorage(): Stored {
    const { cluster, index } = this.#options;
    const last = this.#stored;
    const isNew = (...all: readonly Pick<Resource, 'group' | 'plural'>[]): boolean =>
      all.some((each) => {
        const name = groupResource(each);
        return index.countAfter(name, this.#revisions.get(name) ?? -1) > 0;
      });
    const next: Stored = {
      podsByNode: last && !isNew(pods, replicaSets) ? last.podsByNode : this.#podsByNode(),
      nodes: last && !isNew(nodes) ? last.nodes : inNaturalOrder(stored(cluster, nodes)),
      deployments:
        last && !isNew(deployments, replicaSets)
          ? last.deployments
          : deploymentViewsOf(stored(cluster, deployments), stored(cluster, replicaSets)),
      workloads: last && !isNew(...workloadResources) ? last.workloads : otherWorkloadViewsOf(cluster),
      services:
        last && !isNew(services, endpointSlices)
          ? last.services
          : serviceViewsOf(stored(cluster, services), stored<EndpointSlice>(cluster, endpointSlices)),
    };
    for (const each of [...READ, ...workloadResources]) {
      this.#revisions.set(groupResource(each), cluster.storage.revision);
    }
    this.#stored = next;
    return next;
  }

  #podsByNode(): ReadonlyMap<string | undefined, readonly PodView[]> {
    const { cluster } = this.#options;
    const byUID = new Map(stored(cluster, replicaSets).map((each) => [each.metadata.uid, each]));
    return grouped(
      stored(cluster, pods).map((pod) => this.#podView(pod, byUID.get(controllerOf(pod)?.uid ?? ''))),
      ({ node }) => node,
    );
  }

  #podView(pod: Pod, replicaSet: ReplicaSet | undefined): PodView {
    const known = this.#podViews.get(pod);
    if (known && (known.replicaSet === undefined) === (replicaSet === undefined)) return known.view;
    const view = podViewOf(pod, replicaSet);
    this.#podViews.set(pod, { replicaSet, view });
    return view;
  }
}

/** The other resources of a picture. */
const READ: readonly Resource[] = [pods, replicaSets, nodes, deployments, services, endpointSlices];

function viewsIn(of: readonly { readonly view: ComponentView }[] | undefined): readonly ComponentView[] {
  return of?.map(({ view }) => view) ?? [];
}

/** Sorts `node-2` before `node-10`. */
function inNaturalOrder(all: readonly Node[]): readonly Node[] {
  return all.toSorted((a, b) => collator.compare(a.metadata.name, b.metadata.name));
}

const collator = new Intl.Collator('en', { numeric: true });
