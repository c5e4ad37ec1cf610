import type { Cluster } from '../../cluster/cluster.ts';
import { componentStore } from '../../cluster/component-store.ts';
import { powerOn } from '../../cluster/nodes/power-on.ts';
import type { Process } from '../../cluster/process.ts';
import type { Fault } from '../../faults/index.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import type { Kubectl } from '../kubectl/kubectl.ts';
import type { RequestLine } from '../protocol/details.ts';
import type { Action } from '../protocol/recipe.ts';
import type { CommandOutput } from '../protocol/run-service.ts';
import { InputLines } from './input-lines.ts';
import { type Parts, type PartVersion, usersOf } from './parts.ts';
import { request } from './request.ts';

/** A command that reads lines while it runs. */
interface RunningCommand {
  readonly input: InputLines;
  readonly interrupt: AbortController;
}

/** The surroundings of an action. */
export interface ActionContext {
  readonly cluster: Cluster;
  readonly parts: Parts;
  readonly processes: readonly Process[];
  readonly kubectl: Kubectl;
  /** The commands that run, by the numbers of their actions. */
  readonly commands: Map<number, RunningCommand>;
  /** The space that actions have filled on the disk of each node. */
  readonly reservedBytes: Map<string, number>;
  /** Returns a function that returns the requests of kubectl since this call. */
  requestsSince(): () => readonly RequestLine[];
  /** The packets of requests, by the numbers of their actions. */
  readonly packets: Map<number, Attempt>;
  write(output: CommandOutput): void;
}

/**
 * Performs an action. Virtual time must pass until it has ended.
 *
 * @param number the position of the action in its recipe
 * @returns a promise that resolves when it has ended; failures of commands are output
 * @throws Error when the action is impossible. Then nothing has changed
 */
export function perform(action: Action, number: number, context: ActionContext): Promise<void> {
  switch (action.do) {
    case 'kubectl':
      return runCommand(action, number, context);
    case 'type':
      commandOf(action.into, context).input.type(action.line);
      return ended;
    case 'interrupt':
      commandOf(action.command, context).interrupt.abort(new Error('interrupted'));
      return ended;
    case 'fault':
      mustHaveTarget(action.fault, context);
      context.cluster.nemesis.strike(action.fault);
      return ended;
    case 'heal':
      context.cluster.nemesis.heal();
      return ended;
    case 'kill':
      return kill(processCalled(action.process, context), action.restartAfterMs, context);
    case 'power-on':
      powerOn(context.cluster, action.node);
      return ended;
    case 'fill-disk':
      return fillDisk(action, context);
    case 'request':
      return request(action, context.cluster, {
        print: (text, isError) => context.write({ action: number, text, isError }),
        onSent: (packet) => context.packets.set(number, packet),
      }).then((exitCode) => context.write({ action: number, text: '', isError: false, exitCode }));
    case 'use':
      context.parts.use(action.part, action.version);
      for (const process of usersOf(action.part, context.processes)) restart(process);
      return action.part === 'keyValueStore' ? useStore(action.version, number, context) : ended;
  }
}

const ended = Promise.resolve();

/**
 * Moves the objects to the learner's store, or back. A newer version of it starts with the disk of the older one. If the
 * store cannot take the objects, they stay, and the output names the reason.
 */
async function useStore(
  version: PartVersion,
  number: number,
  { cluster, parts, write }: Pick<ActionContext, 'cluster' | 'parts' | 'write'>,
): Promise<void> {
  if (version === 'reference') return cluster.useStore(undefined);
  if (cluster.isInStore) return;
  try {
    await cluster.useStore(componentStore(parts.components));
  } catch (error) {
    parts.use('keyValueStore', 'reference');
    const why = error instanceof Error ? error.message : String(error);
    const text = `Failed to move the objects to your store: ${why}. They stay in the memory of the apiserver.`;
    write({ action: number, text, isError: true });
  }
}

async function runCommand(
  { line, manifest }: Extract<Action, { do: 'kubectl' }>,
  number: number,
  { kubectl, commands, write, requestsSince }: ActionContext,
): Promise<void> {
  const requests = requestsSince();
  const input = new InputLines(() =>
    write({ action: number, text: '', isError: false, isInteractive: true }),
  );
  const interrupt = new AbortController();
  commands.set(number, { input, interrupt });
  const print = (text: string, isError: boolean): void => write({ action: number, text, isError });
  const exitCode = await kubectl
    .run(line, {
      files: manifest === undefined ? {} : { '-': manifest },
      input,
      signal: interrupt.signal,
      out: (text) => print(text, false),
      err: (text) => print(text, true),
    })
    .catch((error: unknown) => {
      if (!interrupt.signal.aborted)
        print(`${error instanceof Error ? error.message : String(error)}\n`, true);
      return interrupt.signal.aborted ? 130 : 1;
    });
  commands.delete(number);
  write({ action: number, text: '', isError: false, exitCode, requests: requests() });
}

function commandOf(number: number, { commands }: ActionContext): RunningCommand {
  const command = commands.get(number);
  if (command) return command;
  throw new Error(`Failed to reach command ${number}: it has ended.`);
}

/** The nemesis ignores a fault without a target. A user wants to know. */
function mustHaveTarget(fault: Fault, { cluster, processes }: ActionContext): void {
  if ('process' in fault && !isProcess(fault.process, { cluster, processes })) {
    throw new Error(`Failed to strike ${fault.process}: no process has this name.`);
  }
  if ('node' in fault) machineOf(fault.node, cluster);
  if ('replica' in fault) cluster.replica(fault.replica);
}

function isProcess(
  name: string,
  { cluster, processes }: Pick<ActionContext, 'cluster' | 'processes'>,
): boolean {
  const [, node] = /^(?:containerd|cni)-(.+)$/.exec(name) ?? [];
  return (
    name === 'kubectl' ||
    (node !== undefined && cluster.machine(node) !== undefined) ||
    processes.some((process) => process.name === name)
  );
}

function processCalled(name: string, { processes }: ActionContext): Process {
  const process = processes.find((each) => each.name === name);
  if (process) return process;
  throw new Error(`Failed to kill ${name}: no process has this name.`);
}

function machineOf(node: string, cluster: Cluster) {
  const machine = cluster.machine(node);
  if (machine) return machine;
  throw new Error(`Failed to find the machine ${node}: the cluster has none of this name.`);
}

function kill(process: Process, restartAfterMs: number, context: ActionContext): Promise<void> {
  process.crash();
  context.cluster.sim.schedule(restartAfterMs, process.name, 'restart', () => restart(process));
  return ended;
}

function restart(process: Process): void {
  process.crash();
  process.start();
}

/** Reserves space on the disk of a node, so that this share of it is used, or releases what earlier actions reserved. */
function fillDisk(
  { node, percent }: Extract<Action, { do: 'fill-disk' }>,
  { cluster, reservedBytes }: ActionContext,
): Promise<void> {
  const { disk } = machineOf(node, cluster).files;
  disk.giveBack(reservedBytes.get(node) ?? 0);
  const bytes = Math.max(0, Math.floor((disk.capacityBytes * percent) / 100) - disk.usedBytes);
  disk.reserve(bytes);
  reservedBytes.set(node, bytes);
  return ended;
}
