import type { Resource } from '../../api/resource.ts';

/**
 * One part of a cluster: the kata that builds it, its port and its process. Each kata declares its parts in
 * `harness/contracts/components/NN-name.ts`.
 */
export interface Part<Port> {
  /** The kata that builds it, and the folder of its solution: `24-deployment`. */
  readonly kata: string;
  /** The export of the kata and of its solution that implements the port: `deploymentController`. */
  readonly subject: string;
  /** The process that the part runs as. Absent for a part that other components call, such as a workqueue. */
  readonly process?: PartProcess;
  /** Never set. It carries the type of an implementation. */
  readonly port?: Port;
}

/** How a component runs, and its names in a timeline. */
export interface PartProcess {
  /**
   * The upstream name of the process. If it runs on each node, the node's name follows: `kubelet-node-1`.
   *
   * @see Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/names/controller_names.go
   */
  readonly name: string;
  /** `cluster`: one process. `node`: one process on each node. */
  readonly once: 'cluster' | 'node';
  /** A single word for a narrow column: `deployment`. */
  readonly word: string;
  /**
   * The `action` of the events that it emits, by their reason. With this map it writes events in events.k8s.io, without
   * it in the core group.
   */
  readonly actions?: Readonly<Record<string, string>>;
  /** The source of its events. @defaultValue its name */
  readonly eventSource?: string;
  /**
   * The name of its user. `NODE` stands for its node: `system:node:NODE`.
   *
   * @defaultValue the service account `kube-system/<name>`, as controllers have
   */
  readonly user?: string;
  /** Whether a whole cluster works without it. @defaultValue false */
  readonly optional?: boolean;
  /**
   * `secured`: a whole cluster runs it only if its apiservers authorize and admit each request. Other simulations do
   * without it, because each controller costs every run time.
   *
   * @defaultValue every whole cluster runs it
   */
  readonly only?: 'secured';
  /**
   * The kinds that it acts on. In a whole cluster the process waits for the first object of one of them, because a
   * watch of a controller without work costs every run time.
   *
   * @defaultValue it starts with the cluster
   */
  readonly startsWith?: readonly Resource[];
}

/** The port of a {@link Part}. */
export type PortOf<P> = P extends Part<infer Port> ? Port : never;
