/** One life of a network of pods: the nodes that there are, the pods that come and go on them, and what goes wrong. */
export interface PodNetworkScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  /**
   * `flannel`: the agents run, and write the configuration of the network. `alone`: one node without an agent, whose plugin
   * masquerades by itself.
   */
  readonly network: 'flannel' | 'alone';
  /**
   * How the network of a node that is alone is configured: the name of its bridge, and what its address manager says. A bare default
   * route says no gateway, and so goes by that of the address.
   */
  readonly alone: {
    readonly bridge: string;
    readonly gives: 'a gateway' | 'no gateway' | 'a default route' | 'a bare default route';
  };
  /** The nodes from the beginning on; `node-1` is the first. */
  readonly nodes: readonly NodePlan[];
  readonly pods: readonly PodPlan[];
  readonly steps: readonly Step[];
  readonly faults: readonly CallFault[];
  /**
   * Nodes of which there is no machine, but for which packets are sent all the same. Where there are some, an agent has been on the first
   * node before, and has left routes. @defaultValue none
   */
  readonly others?: readonly OtherNode[];
  /** The plugin is tried by itself, on machines without anything, and nothing else is lived: the name of a trial. @defaultValue a life */
  readonly experiment?: string;
}

/**
 * A node that the API alone has. `cordoned`: it takes no new pods. `leaving`: it is being deleted. `claims the same`: its podCIDR is that
 * of the first node. `where another route is`: another program has a route to its podCIDR. `out of reach`: it is on another network.
 */
export type OtherNode =
  | 'plain'
  | 'cordoned'
  | 'leaving'
  | 'claims the same'
  | 'where another route is'
  | 'out of reach';

/** A node as it begins. */
export interface NodePlan {
  /**
   * What there is of the bridge: `bare`, without address and down; `with its address`, up, on a node that does not forward; `with a
   * port` that another program has put there.
   */
  readonly bridge: 'none' | 'bare' | 'with its address' | 'with a port';
  /** How many ms after the beginning its podCIDR is known. */
  readonly podCIDRAfterMs: number;
}

/** A pod, and how its container runtime goes about it. */
export interface PodPlan {
  /** Index of its node. */
  readonly node: number;
  readonly hostPort?: number;
  /** After an ADD that failed: `same`, it is tried again as it is; `fresh`, it is taken back, and a new sandbox is made; `forgets`, nothing is. */
  readonly afterFailure: 'same' | 'fresh' | 'forgets';
}

/** What is done after a while. Pods and nodes are told by their indexes. */
export type Step = { readonly afterMs: number } & Operation;

/** What a step does. */
export type Operation =
  | { readonly do: 'start' | 'check' | 'replace'; readonly pod: number }
  /** `netns`: what becomes of the namespace before its DEL. `again`: the DEL is repeated. */
  | {
      readonly do: 'stop';
      readonly pod: number;
      readonly netns: 'there' | 'gone' | 'not told';
      readonly again: boolean;
    }
  /** A user changes what a pod was given; a CHECK follows. */
  | {
      readonly do: 'spoil';
      readonly pod: number;
      readonly what: 'address' | 'route' | 'port' | 'down' | 'interface' | 'mac' | 'reservation';
    }
  | { readonly do: 'gc' | 'reboot'; readonly node: number }
  /** Right after the agent has looked, a user removes all that it has made. */
  | { readonly do: 'lose all'; readonly node: number }
  /** One of the others is deleted, and its route a moment before the agent does it; a route with a metric is beside it. */
  | { readonly do: 'overtake'; readonly node: number; readonly other: number }
  | { readonly do: 'crash agent'; readonly node: number; readonly forMs: number }
  | {
      readonly do: 'cut watches' | 'lose route' | 'lose rules' | 'leave' | 'foreign route';
      readonly node: number;
    }
  | {
      readonly do: 'join';
      readonly node: number;
      /** What the node has of the one before it that had its name. */
      readonly keeps: 'podCIDR' | 'address' | 'nothing';
      /** Whether it is on the same Ethernet: if not, it is told of, but cannot be reached. */
      readonly reachable: boolean;
    };

/** One call of a plugin or an agent, and what becomes of it: the first of its kind after `atMs`, after `skip` others. */
export interface CallFault {
  readonly atMs: number;
  readonly node: number;
  /** Of which process. */
  readonly of: 'ADD' | 'DEL' | 'GC' | 'agent';
  readonly skip: number;
  readonly how: 'dies' | 'fails';
  /** Whether it was carried out. */
  readonly performed: boolean;
}
