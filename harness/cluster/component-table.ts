import type { Component, Components, NodeComponent } from '../contracts/component.ts';
import { parts } from '../contracts/components/index.ts';
import type { Part, PartProcess } from '../contracts/components/part.ts';
import type { ScriptPod } from './nodes/pod-script.ts';
import { scriptedKubelet } from './nodes/scripted-kubelet.ts';
import { scriptedScheduler } from './nodes/scripted-scheduler.ts';
import type { Program } from './process.ts';

/** The facts about one component that the rest of the workbook uses. Its port is its type in {@link Components}. */
export type ComponentRow = Part<unknown>;

/** A script that plays a component as far as other components can observe it. */
interface StandIn {
  /** The name of its process, if it differs from the component's. On a node, the node's name follows. */
  readonly name?: string;
  /** Call it once for each process: the returned program may hold state that outlives the process. */
  readonly program: (options: StandInOptions) => Program;
}

/** Options of a stand-in. */
export interface StandInOptions {
  /** The node of the stand-in; empty for a stand-in that runs once per cluster. */
  readonly node: string;
  /** The behaviour of pods. @defaultValue they become ready within a second, except `…:broken`, which never does */
  readonly script?: ScriptPod;
}

/** The components that run as one process in a cluster. */
export type ComponentName = PartOf<Component>;

/** The components that run as one process on each node. */
export type NodeComponentName = PartOf<NodeComponent>;

/** The components whose port is exactly `Port`. */
type PartOf<Port> = {
  [K in keyof Components]: Port extends Components[K] ? (Components[K] extends Port ? K : never) : never;
}[keyof Components];

/** The table of components, in the order of the katas. Each kata has its rows in `harness/contracts/components/`. */
export const componentTable: Readonly<Record<keyof Components, ComponentRow>> = parts;

/** The scripts for clusters that are created without the component. */
const standIns: { readonly [K in ComponentName | NodeComponentName]?: StandIn } = {
  scheduler: { name: 'scheduler', program: () => scriptedScheduler },
  kubelet: { program: scriptedKubelet },
};

/** The row of a component that is a process, and its stand-in if it has one. */
interface ProcessRow extends PartProcess {
  readonly standIn?: StandIn;
}

/** Returns the row of a component that runs as a process. @throws Error when the component does not */
export function processOf(part: ComponentName | NodeComponentName): ProcessRow {
  const { process } = componentTable[part];
  const standIn = standIns[part];
  if (process) return { ...process, ...(standIn && { standIn }) };
  throw new Error(`Failed to run ${part}: the table of components gives it no process.`);
}

/**
 * Returns the component that the process of this name runs or stands in for; undefined for a user, such as `kubectl`.
 *
 * @param actor as in traces and in the journal: `deployment-controller`, `kubelet-node-1`
 */
export function processCalled(actor: string): ProcessRow | undefined {
  return rows.find(({ name, once, standIn }) =>
    [name, standIn?.name ?? name].some((one) =>
      once === 'node' ? actor === one || actor.startsWith(`${one}-`) : actor === one,
    ),
  );
}

/** Returns the name without its node: `kubelet` for `kubelet-node-1`. Any other name is unchanged. */
export function roleOf(actor: string): string {
  const row = processCalled(actor);
  return row?.once === 'node' ? row.name : actor;
}

const rows = (Object.keys(componentTable) as (ComponentName | NodeComponentName)[]).flatMap((part) =>
  componentTable[part].process ? processOf(part) : [],
);
