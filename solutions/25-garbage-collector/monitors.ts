/**
 * The informers that feed the graph: one for each resource that the server can list, watch and delete.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go syncMonitors, startMonitors
 */
import {
  DeletedFinalStateUnknown,
  groupVersion,
  type KubeObject,
  type Resource,
  type ResourceEventHandlerRegistration,
  type SharedInformerFactory,
} from '#harness';
import { resourcesToWatch } from './deletable-resources.ts';
import type { GraphBuilder } from './graph-builder.ts';

interface Monitor {
  readonly resource: Resource;
  readonly registration: ResourceEventHandlerRegistration;
}

export class Monitors {
  readonly #informers: SharedInformerFactory;
  readonly #graphBuilder: GraphBuilder;
  readonly #monitors = new Map<string, Monitor>();

  constructor(informers: SharedInformerFactory, graphBuilder: GraphBuilder) {
    this.#informers = informers;
    this.#graphBuilder = graphBuilder;
  }

  /** Reports whether the graph contains the initial list of every informer. */
  get haveSynced(): boolean {
    return [...this.#monitors.values()].every(({ registration }) => registration.hasSynced());
  }

  /** Starts informers for new resources, and stops those of resources that are no longer served. */
  sync(served: readonly Resource[]): void {
    const wanted = new Map(resourcesToWatch(served).map((resource) => [keyOf(resource), resource]));
    for (const [key, { resource }] of this.#monitors) {
      if (wanted.has(key)) continue;
      this.#monitors.delete(key);
      this.#informers.stop(resource);
    }
    for (const [key, resource] of wanted) {
      if (!this.#monitors.has(key)) this.#monitors.set(key, this.#monitor(resource));
    }
    this.#informers.start();
  }

  #monitor(resource: Resource): Monitor {
    const graphBuilder = this.#graphBuilder;
    const registration = this.#informers.forResource(resource).addEventHandler({
      onAdd: (object) => graphBuilder.observe(object),
      onUpdate: (previous, current) => {
        // After a gap in the watch, an informer may report another incarnation as an update of the previous one, which
        // no longer exists. Differs: upstream keeps the previous incarnation in its graph, and does not collect its
        // dependents until it restarts.
        if (previous.metadata.uid !== current.metadata.uid) graphBuilder.forget(previous);
        graphBuilder.observe(current);
      },
      onDelete: (last) => graphBuilder.forget(lastSeen(last)),
    });
    return { resource, registration };
  }
}

const keyOf = (resource: Resource): string => `${groupVersion(resource)}/${resource.plural}`;

function lastSeen(last: KubeObject | DeletedFinalStateUnknown<KubeObject>): KubeObject {
  return last instanceof DeletedFinalStateUnknown ? last.object : last;
}
