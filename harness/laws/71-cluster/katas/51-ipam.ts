import { nodes } from '../../../api/resource.ts';
import type { Components } from '../../../contracts/component.ts';
import type { CniConfiguration, CniProcess } from '../../../contracts/node/cni-plugin.ts';
import { POD_NETWORK } from '../../../node/cni/flannel.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { Answer, Directory, HistoryEntry, IpamHistory, Run } from '../../51-ipam/history.ts';
import * as ipamLaws from '../../51-ipam/laws/index.ts';
import type { NetworkPlan } from '../../51-ipam/scenario/networks.ts';
import { reservationsOn } from '../../51-ipam/simulation/index.ts';
import { type ClusterHistory, entriesOf } from '../history.ts';
import { inCluster } from './in-cluster.ts';
import type { Observer } from './kata.ts';

const KATA = '51-ipam';
/** The name of the network of all pods. */
const NETWORK = 'cbr0';

/** A process of the plugin on some machine. */
interface Call extends Omit<Run, 'network'> {
  /** The range of the machine's pods. */
  readonly subnet: string;
}

/** The start or the end of a process. */
interface Moment {
  readonly atMs: number;
  readonly call: Call;
  /** Absent at the start. */
  readonly answer?: Answer;
}

/** The laws of kata 51, for the addresses of each machine of a whole cluster. */
export const ipam = inCluster({
  kata: KATA,
  of: ipamLaws,
  observer: (recorders) => new CallRecorder(recorders),
  inspect: (cluster) =>
    new Map(cluster.machines.map(({ node, files }) => [node, reservationsOn(files, { name: NETWORK })])),
  historiesOf: (history) => [...history.machines.keys()].map((node) => historyOn(node, history)),
  leftOut: {
    full: 'no machine allocates all of its 253 addresses',
    ready: 'no machine allocates all of its 253 addresses',
    refuses: 'no runtime adds a sandbox twice',
    checks: 'no runtime checks a sandbox',
    apart: 'each machine has one network',
    asked: 'no pod requests an address',
    answers: 'a machine that loses its power takes the answers of its plugins along, whatever they did',
  },
});

/** Records the starts and ends of processes, in their order. A killed process has no end. */
class CallRecorder implements Observer {
  readonly observed: Moment[] = [];
  readonly #recorders: ReadonlyMap<string, RequestRecorder>;

  constructor(recorders: ReadonlyMap<string, RequestRecorder>) {
    this.#recorders = recorders;
  }

  get #nowMs(): number {
    const [any] = this.#recorders.values();
    return any?.nowMs ?? 0;
  }

  wrap(components: Partial<Components>): Partial<Components> {
    const { ipam: plugin } = components;
    if (!plugin) return components;
    return {
      ...components,
      ipam: async (process) => {
        const call = callOf(process, this.observed.length + 1);
        this.observed.push({ atMs: this.#nowMs, call });
        const answer = await plugin(process);
        this.observed.push({ atMs: this.#nowMs, call, answer });
        return answer;
      },
    };
  }
}

type IpamConfiguration = CniConfiguration & {
  readonly ipam: { readonly ranges: readonly (readonly { readonly subnet: string }[])[] };
};

function callOf({ env, stdin }: CniProcess, number: number): Call {
  const { ipam: configured, ...rest } = JSON.parse(stdin) as IpamConfiguration;
  const valid = rest['cni.dev/valid-attachments']?.map(({ containerID }) => containerID);
  return {
    number,
    command: env.CNI_COMMAND as Run['command'],
    container: env.CNI_CONTAINERID ?? '',
    subnet: configured.ranges[0]?.[0]?.subnet ?? '',
    ...(valid && { valid }),
  };
}

/**
 * Returns the history of the plugin on one machine. It ends early when a runtime starts again while a process of its
 * predecessor still runs for the same sandbox: the kata's runtime never does that.
 */
function historyOn(node: string, history: ClusterHistory): IpamHistory {
  const { observed, inspected, endMs, hash, timeline } = history;
  const subnets = entriesOf(history, nodes).flatMap(({ object: { metadata, spec } }) =>
    metadata.name === node ? (spec.podCIDR ?? []) : [],
  );
  const own = (observed.get(KATA) as readonly Moment[]).filter(({ call }) => subnets.includes(call.subnet));
  const answered = new Set(own.flatMap(({ call, answer }) => (answer ? [call] : [])));
  const entries: HistoryEntry[] = [];
  const living = new Map<string, Moment>();
  const troubles = troublesOn(node, history);
  const happen = (untilMs: number): void => {
    while (troubles[0] && troubles[0].atMs <= untilMs) {
      const trouble = troubles.shift() as HistoryEntry;
      entries.push(trouble);
      if (trouble.kind === 'cut') living.clear();
    }
  };
  const kill = ({ call, atMs: begunMs }: Moment, atMs: number): void => {
    living.delete(keyOf(call));
    const isKilled = crashesOf(node, history).some(({ endedMs = endMs }) => endedMs >= begunMs);
    entries.push({ kind: isKilled ? 'dies' : 'stuck', atMs, run: runOf(call) });
  };
  const [first = ''] = subnets;
  const run = { entries, scenario: { networks: [planOf(first)], steps: [] }, hash, timeline };
  let subnet = first;
  for (const moment of own) {
    const { atMs, call, answer } = moment;
    happen(atMs);
    if (answer) {
      if (living.delete(keyOf(call))) entries.push({ kind: 'ends', atMs, run: runOf(call), answer });
      continue;
    }
    const before = living.get(keyOf(call));
    if (before && answered.has(before.call)) return run;
    if (before) kill(before, atMs);
    if (call.subnet !== subnet) {
      subnet = call.subnet;
      entries.push({ kind: 'configured', atMs, network: 0, plan: planOf(subnet) });
    }
    living.set(keyOf(call), moment);
    entries.push({ kind: 'begins', atMs, run: runOf(call) });
  }
  happen(endMs);
  const [late, hung] = [true, false].map((isLate) =>
    [...living.values()].filter(({ atMs }) => atMs > endMs - ENDS_WITHIN_MS === isLate),
  ) as [Moment[], Moment[]];
  for (const each of hung) kill(each, endMs);
  if (late.some(({ call }) => call.command !== 'STATUS')) return run;
  const disk = (inspected.get(KATA) as ReadonlyMap<string, Directory>).get(node) ?? {};
  entries.push({ kind: 'rest', atMs: endMs, disk: [disk] });
  return run;
}

/** A process that started so long before the end has hung, or was killed. */
const ENDS_WITHIN_MS = 60_000;

const keyOf = ({ container, number }: Call): string => container || String(number);

const runOf = ({ subnet: _, ...call }: Call): Run => ({ ...call, network: 0 });

/** Returns the events of a machine that plugins must survive, oldest first. */
function troublesOn(node: string, { machines, struck, endMs }: ClusterHistory): HistoryEntry[] {
  const cuts = (machines.get(node) ?? []).flatMap(({ event, atMs }): HistoryEntry[] =>
    event === 'powered-off' ? [{ kind: 'cut', atMs }] : [],
  );
  const failures = struck.flatMap(({ fault, atMs, endedMs = endMs }): HistoryEntry[] =>
    fault.fault === 'fail-call' && fault.process === `cni-${node}`
      ? [
          { kind: 'disk', atMs, full: true, fails: true },
          { kind: 'disk', atMs: endedMs + (fault.afterMs ?? 0) + ANSWERED_MS, full: false },
        ]
      : [],
  );
  return [...cuts, ...failures].sort((a, b) => a.atMs - b.atMs);
}

/** The time of an answer on the line of a process. */
const ANSWERED_MS = 100;

function crashesOf(node: string, { struck }: ClusterHistory): ClusterHistory['struck'] {
  return struck.filter(({ fault }) => fault.fault === 'crash' && fault.process === `cni-${node}`);
}

/** Returns the network of a machine whose pods have this range of 256 addresses. */
function planOf(subnet: string): NetworkPlan {
  const prefix = subnet.replace(/0\/24$/, '');
  const addresses = Array.from({ length: 253 }, (_, i) => `${prefix}${i + 2}/24`);
  const set = {
    ranges: [{ subnet }],
    addresses,
    gateways: addresses.map(() => `${prefix}1`),
    said: `${prefix}1-${prefix}254`,
  };
  return { name: NETWORK, sets: [set], routes: [{ dst: POD_NETWORK }] };
}
