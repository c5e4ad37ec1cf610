import type { Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import { processCalled } from '../../cluster/component-table.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { PLUGINS, PROGRAM, RUNTIME } from './participants.ts';

/** A call of a process on a node that changed something there. */
export interface NodeCall {
  /** The id of the called participant. Absent for the kernel of the caller's node. */
  readonly to?: string;
  /** The pod: `pods/default/web`. Absent if the trace does not connect the call with a pod. */
  readonly object?: string;
  /** The target for readers: an image, the name of a container, an address, a command. */
  readonly target?: string;
  /** The time of the first call within this one, in virtual ms. */
  readonly beganMs?: number;
}

/** The process of an actor. */
interface NodeProcess {
  /** The id of its participant. */
  readonly id: string;
  /** Absent for a process that runs once. */
  readonly node?: string;
  readonly isComponent: boolean;
}

/** A container, and its pod if the trace connects them. */
interface Container {
  readonly pod: string | undefined;
  readonly name: string;
}

const ON_SANDBOX: ReadonlySet<string> = new Set(['stopPodSandbox', 'removePodSandbox']);
const ON_CONTAINER: ReadonlySet<string> = new Set(['startContainer', 'stopContainer', 'removeContainer']);
const PROBES: ReadonlySet<string> = new Set(['request', 'connect', 'healthCheck', 'execSync']);
/** The other calls are reads, or details such as files. */
const CALLS: ReadonlySet<string> = new Set([
  ...['add', 'del', 'run', 'runPodSandbox', 'pullImage', 'createContainer'],
  ...[...ON_SANDBOX, ...ON_CONTAINER, ...PROBES],
]);
const RULES =
  /^(iptables-restore|ip6tables-restore|nft -f|ip (-\S+ )*(route|addr|link) (add|del|replace|set))\b/;

/**
 * Reads the calls below the API. The trace names sandboxes and containers by the ids that the runtime returned, and the
 * answers are not in the trace. So an id belongs to the first waiting pod of its node, in the order of the calls.
 */
export class NodeCalls {
  readonly #nodes: readonly string[];
  readonly #processes = new Map<string, NodeProcess>();
  /** Pods by address; only the journal has them. */
  readonly #pods: ReadonlyMap<string, string>;
  /** The network calls of each sandbox: the first one's time. */
  readonly #networks = new Map<string, number>();
  readonly #sandboxes = new Map<string, string>();
  readonly #containers = new Map<string, Container>();
  /** The created containers of each kubelet that have not started. */
  readonly #created = new Map<string, Container[]>();
  /** The last outcome of each probe. */
  readonly #probes = new Map<string, string | undefined>();

  constructor(trace: readonly TraceEntry[], journal: readonly JournalEntry[]) {
    this.#nodes = nodesIn(trace);
    this.#pods = addressesIn(journal);
    for (const [id, { pod, beganMs }] of sandboxesIn(trace, (actor) => this.processOf(actor).node)) {
      this.#sandboxes.set(id, pod);
      this.#networks.set(pod, beganMs);
    }
  }

  /** Returns the process of an actor. A trace has many entries of each, so it is computed once. */
  processOf(actor: string): NodeProcess {
    const known = this.#processes.get(actor);
    if (known) return known;
    const node = this.#nodes.find((one) => actor.endsWith(`-${one}`));
    const name = node === undefined ? actor : actor.slice(0, -node.length - 1);
    const row = processCalled(actor);
    const own = { containerd: RUNTIME, cni: PLUGINS }[name];
    const id = own ?? (row?.once === 'node' ? row.name : actor);
    const process = { id, isComponent: row !== undefined, ...(node !== undefined && { node }) };
    this.#processes.set(actor, process);
    return process;
  }

  /** Returns the call; `reads` if it reads the rules of a node; undefined if it changes nothing. */
  read(entry: TraceEntry): NodeCall | 'reads' | undefined {
    const { actor, verb, object = '', outcome } = entry;
    if (!CALLS.has(verb)) return undefined;
    const { id, isComponent, node } = this.processOf(actor);
    const [first = '', second = ''] = object.split(' ', 2);
    if (id === RUNTIME && (verb === 'add' || verb === 'del'))
      return { to: PLUGINS, target: first, ...about(this.#sandboxes.get(second)) };
    if (!isComponent || node === undefined) return undefined;
    if (verb === 'run' && id !== 'kubelet') {
      if (/^ip6?tables-save|^ip .*show/.test(object)) return 'reads';
      return RULES.test(object) ? { target: first === 'ip' ? object : first } : undefined;
    }
    if (id !== 'kubelet') return undefined;
    if (verb === 'runPodSandbox') {
      const beganMs = this.#networks.get(`pods/${first}`);
      return { to: RUNTIME, ...about(`pods/${first}`), ...(beganMs !== undefined && { beganMs }) };
    }
    if (verb === 'pullImage') return { to: RUNTIME, target: first, ...(second && about(`pods/${second}`)) };
    if (verb === 'createContainer') {
      const container = { pod: this.#sandboxes.get(first), name: second };
      if (outcome === 'ok') this.#created.set(actor, [...(this.#created.get(actor) ?? []), container]);
      return { to: RUNTIME, target: second, ...about(container.pod) };
    }
    if (ON_SANDBOX.has(verb)) return { to: RUNTIME, ...about(this.#sandboxes.get(first)) };
    if (ON_CONTAINER.has(verb)) {
      const container = this.#containers.get(first) ?? this.#created.get(actor)?.shift();
      if (container) this.#containers.set(first, container);
      return this.#ofContainer(container);
    }
    return PROBES.has(verb) ? this.#probe(entry) : undefined;
  }

  #ofContainer(container: Container | undefined): NodeCall {
    return { to: RUNTIME, ...(container && { target: container.name, ...about(container.pod) }) };
  }

  /** Returns the first probe of a target, and each probe with another outcome than the last. */
  #probe({ verb, object = '', outcome }: TraceEntry): NodeCall | undefined {
    const key = `${verb} ${object}`;
    if (this.#probes.has(key) && this.#probes.get(key) === outcome) return undefined;
    this.#probes.set(key, outcome);
    if (verb === 'execSync') return this.#ofContainer(this.#containers.get(object));
    return { to: PROGRAM, target: object, ...about(this.#pods.get(object.split(/:\d/, 1)[0] ?? '')) };
  }
}

const about = (pod: string | undefined): { readonly object?: string } =>
  pod === undefined ? {} : { object: pod };

function nodesIn(trace: readonly TraceEntry[]): readonly string[] {
  const nodes = new Set<string>();
  for (const { actor } of trace) if (actor.startsWith('kubelet-')) nodes.add(actor.slice('kubelet-'.length));
  // The longest name first: `a-node-1` ends with `node-1`, too.
  return [...nodes].sort((a, b) => b.length - a.length);
}

function addressesIn(journal: readonly JournalEntry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { resource, key, object } of journal) {
    const ip = sameResource(resource, pods) ? (object as Pod).status.podIP : undefined;
    if (ip !== undefined) found.set(ip, `pods/${key}`);
  }
  return found;
}

/** Returns the pod of each sandbox, and when its network was first called. */
function sandboxesIn(
  trace: readonly TraceEntry[],
  nodeOf: (actor: string) => string | undefined,
): ReadonlyMap<string, { readonly pod: string; readonly beganMs: number }> {
  const found = new Map<string, { pod: string; beganMs: number }>();
  /** The sandboxes of each node whose network is complete, with the time of the first call. */
  const networks = new Map<string, Map<string, number>>();
  for (const { actor, verb, object = '', atMs } of trace) {
    if (verb !== 'add' && verb !== 'runPodSandbox') continue;
    const node = nodeOf(actor) ?? '';
    const waiting = networks.get(node) ?? new Map<string, number>();
    networks.set(node, waiting);
    if (verb === 'add') {
      const id = object.split(' ')[1] ?? '';
      if (!waiting.has(id)) waiting.set(id, atMs);
      continue;
    }
    const [id, beganMs] = waiting.entries().next().value ?? [];
    if (id === undefined || beganMs === undefined) continue;
    waiting.delete(id);
    found.set(id, { pod: `pods/${object}`, beganMs });
  }
  return found;
}
