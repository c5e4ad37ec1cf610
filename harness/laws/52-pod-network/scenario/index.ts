/** A generated scenario: the nodes, the pods that start and stop on them, and the faults. */
export interface PodNetworkScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /**
   * `flannel`: the agents run, and write the network configuration. `alone`: one node without an agent, with `ipMasq`.
   */
  readonly network: 'flannel' | 'alone';
  /**
   * Configuration of a node without an agent: the name of its bridge, and the result of its address manager. A bare
   * default route has no gateway, and uses that of the address.
   */
  readonly alone: {
    readonly bridge: string;
    readonly gives: 'a gateway' | 'no gateway' | 'a default route' | 'a bare default route';
  };
  /** The nodes at the start; `node-1` is the first. */
  readonly nodes: readonly NodePlan[];
  readonly pods: readonly PodPlan[];
  readonly steps: readonly Step[];
  readonly faults: readonly CallFault[];
  /**
   * Nodes without a machine, to which agents need routes nevertheless. If there are some, an earlier agent of the first
   * node has left routes. @defaultValue none
   */
  readonly others?: readonly OtherNode[];
  /** The name of an experiment with the plugin alone, which replaces the rest of the scenario. @defaultValue none */
  readonly experiment?: string;
}

/**
 * A node that exists only in the API. `cordoned`: it accepts no new pods. `leaving`: it is being deleted. `claims the
 * same`: it has the podCIDR of the first node. `where another route is`: another program has a route to its podCIDR.
 * `out of reach`: it is on another network.
 */
export type OtherNode =
  | 'plain'
  | 'cordoned'
  | 'leaving'
  | 'claims the same'
  | 'where another route is'
  | 'out of reach';

/** A node at its start. */
export interface NodePlan {
  /**
   * State of the bridge: `bare`, without an address and down; `with its address`, up, on a node that does not forward;
   * `with a port` of another program.
   */
  readonly bridge: 'none' | 'bare' | 'with its address' | 'with a port';
  /** Time after the start at which it gets its podCIDR, in ms. */
  readonly podCIDRAfterMs: number;
}

/** A pod, and the behaviour of its container runtime. */
export interface PodPlan {
  /** Index of its node. */
  readonly node: number;
  readonly hostPort?: number;
  /**
   * The reaction to a failed ADD: `same`, repeat it; `fresh`, undo it, and create a new sandbox; `forgets`, nothing.
   */
  readonly afterFailure: 'same' | 'fresh' | 'forgets';
}

/** An operation after a delay. Indexes identify pods and nodes. */
export type Step = { readonly afterMs: number } & Operation;

/** An operation of the environment. */
export type Operation =
  | { readonly do: 'start' | 'check' | 'replace'; readonly pod: number }
  /** `netns`: the state of the namespace at its DEL. `again`: the DEL is repeated. */
  | {
      readonly do: 'stop';
      readonly pod: number;
      readonly netns: 'there' | 'gone' | 'not told';
      readonly again: boolean;
    }
  /** A user changes the network of a pod; a CHECK follows. */
  | {
      readonly do: 'spoil';
      readonly pod: number;
      readonly what: 'address' | 'route' | 'port' | 'down' | 'interface' | 'mac' | 'reservation';
    }
  | { readonly do: 'gc' | 'reboot'; readonly node: number }
  /** Right after a sync of the agent, a user removes everything that it has created. */
  | { readonly do: 'lose all'; readonly node: number }
  /** One of the others is deleted, and its route a moment before the agent does so, next to a route with a metric. */
  | { readonly do: 'overtake'; readonly node: number; readonly other: number }
  | { readonly do: 'crash agent'; readonly node: number; readonly forMs: number }
  | {
      readonly do: 'cut watches' | 'lose route' | 'lose rules' | 'leave' | 'foreign route';
      readonly node: number;
    }
  | {
      readonly do: 'join';
      readonly node: number;
      /** The setting that the node shares with its predecessor of the same name. */
      readonly keeps: 'podCIDR' | 'address' | 'nothing';
      /** Whether it is on the same Ethernet; if not, it is in the API, but unreachable. */
      readonly reachable: boolean;
    };

/** A fault of one call of a plugin or an agent: the first of its kind after `atMs`, after `skip` others. */
export interface CallFault {
  readonly atMs: number;
  readonly node: number;
  /** The process. */
  readonly of: 'ADD' | 'DEL' | 'GC' | 'agent';
  readonly skip: number;
  readonly how: 'dies' | 'fails';
  /** Whether the call took effect. */
  readonly performed: boolean;
}
