import type { Taint } from '#api/core/v1';
import { keyOf, type Node, type Pod } from '../../../api/objects.ts';
import { controllerOf, hasEnded } from '../../../api/predicates.ts';
import { nodes, pods } from '../../../api/resource.ts';
import { isNotFound, StatusError } from '../../../api/status.ts';
import { type Call, type Command, KILLED } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll, type Target } from '../targets.ts';
import { report, WRITING, writeOptions } from './report.ts';

/** The pause before a refused eviction is tried again, in ms. Upstream: pkg/cmd/drain/drain.go EvictErrorRetryDelay */
const RETRY_MS = 5_000;

const NODE = 'NODE…';
const SELECTOR = { selector: SELECTING.selector } as const;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/drain/drain.go DrainCmdOptions.RunCordonOrUncordon */
export const cordon: Command = marking('cordon', 'Marks a node unschedulable', true);
export const uncordon: Command = marking('uncordon', 'Marks a node schedulable', false);

function marking(name: string, summary: string, unschedulable: boolean): Command {
  return {
    name,
    usage: NODE,
    summary,
    reads: false,
    flags: { ...SELECTOR, 'dry-run': WRITING['dry-run'], output: WRITING.output },
    run: async (call) => {
      for (const target of await nodesOf(call)) await mark(call, target, unschedulable);
    },
  };
}

async function nodesOf(call: Call): Promise<readonly Target[]> {
  const names = call.args.map((name) => name.replace(/^nodes?\//, ''));
  if (names.length === 0 && !call.flags.has('selector')) {
    throw new KubectlError(`USAGE: the name of a node is required`);
  }
  return selectAll(call, { args: ['nodes', ...names] });
}

async function mark(call: Call, { resource, object }: Target, unschedulable: boolean): Promise<void> {
  const { spec } = object as Node;
  const verb = unschedulable ? 'cordoned' : 'uncordoned';
  if ((spec.unschedulable ?? false) === unschedulable)
    return report(call, resource, object, `already ${verb}`);
  const body = { spec: { unschedulable: unschedulable ? true : null } };
  await call.client.patch(resource, keyOf(object), { type: 'strategic', body }, writeOptions(call, 'drain'));
  report(call, resource, object, verb);
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/drain/drain.go DrainCmdOptions.RunDrain */
export const drain: Command = {
  name: 'drain',
  usage: `${NODE} [--ignore-daemonsets] [--delete-emptydir-data] [--force]`,
  summary: 'Marks a node unschedulable, and evicts its pods',
  reads: false,
  flags: {
    ...SELECTOR,
    'dry-run': WRITING['dry-run'],
    output: WRITING.output,
    'ignore-daemonsets': { type: 'switch', help: 'leave the pods of DaemonSets' },
    'delete-emptydir-data': { type: 'switch', help: 'also evict pods with emptyDir volumes' },
    force: { type: 'switch', help: 'also evict pods without a controller' },
    'grace-period': { type: 'number', help: 'seconds for a graceful end' },
    timeout: { type: 'duration', help: 'the longest time to wait' },
  },
  run: async (call) => {
    const targets = await nodesOf(call);
    for (const target of targets) await mark(call, target, true);
    const failed: string[] = [];
    for (const { resource, object } of targets) {
      const { name } = object.metadata;
      try {
        await evictAll(call, name);
        if (call.io.signal.aborted) return KILLED;
        report(call, resource, object, 'drained');
      } catch (error) {
        if (!(error instanceof KubectlError)) throw error;
        call.io.err(
          `error: unable to drain node "${name}" due to error: ${error.message}, continuing command...\n`,
        );
        failed.push(name);
      }
    }
    if (failed.length === 0) return 0;
    call.io.err(
      ['There are pending nodes to be drained:', ...failed.map((name) => ` ${name}`), ''].join('\n'),
    );
    return 1;
  },
};

const REASONS = {
  daemonSet: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
  local: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)',
  unmanaged: 'cannot delete Pods that declare no controller (use --force to override)',
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/drain/filters.go Helper.makeFilters */
function obstacle(call: Call, pod: Pod): string | undefined {
  const controller = controllerOf(pod);
  const ended = hasEnded(pod);
  if (controller?.kind === 'DaemonSet' && !ended) {
    return call.flags.isOn('ignore-daemonsets') ? 'skip' : REASONS.daemonSet;
  }
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return 'skip';
  if (ended) return undefined;
  const isLocal = pod.spec.volumes?.some(({ emptyDir }) => emptyDir !== undefined) ?? false;
  if (isLocal && !call.flags.isOn('delete-emptydir-data')) return REASONS.local;
  return controller || call.flags.isOn('force') ? undefined : REASONS.unmanaged;
}

async function evictAll(call: Call, node: string): Promise<void> {
  const { items } = await call.client.list(pods, { fieldSelector: `spec.nodeName=${node}` });
  const judged = items.map((pod) => ({ pod, why: obstacle(call, pod) }));
  const refused = Object.values(REASONS).flatMap((reason) => {
    const names = judged.filter(({ why }) => why === reason).map(({ pod }) => nameOf(pod));
    return names.length === 0 ? [] : [`${reason}: ${names.join(', ')}`];
  });
  if (refused.length > 0) throw new KubectlError(refused.join(', '));
  const skipped = judged.filter(({ why }) => why === 'skip');
  if (skipped.length > 0) {
    call.io.err(
      `Warning: ignoring DaemonSet-managed Pods: ${skipped.map(({ pod }) => nameOf(pod)).join(', ')}\n`,
    );
  }
  const evicted = judged.filter(({ why }) => why === undefined).map(({ pod }) => pod);
  await Promise.all(evicted.map((pod) => evict(call, pod)));
}

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

/** Evicts a pod, again and again while a budget refuses it, and waits until it is gone. */
async function evict(call: Call, pod: Pod): Promise<void> {
  const { signal } = call.io;
  const key = keyOf(pod);
  const period = call.flags.number('grace-period');
  const timeoutMs = call.flags.duration('timeout') || undefined;
  const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : call.cluster.clock.now() + timeoutMs;
  const options = period === undefined || period < 0 ? {} : { gracePeriodSeconds: period };
  for (;;) {
    if (signal.aborted) return;
    call.io.out(`evicting pod ${nameOf(pod)}\n`);
    if (call.cluster.clock.now() >= untilMs) {
      throw new KubectlError(
        `error when evicting pods/"${key.name}" -n "${key.namespace}": global timeout reached`,
      );
    }
    try {
      await call.client.evict(key, options);
      break;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!(error instanceof StatusError) || error.reason !== 'TooManyRequests') throw error;
      call.io.err(
        `error when evicting pods/"${key.name}" -n "${key.namespace}" (will retry after 5s): ${error.message}\n`,
      );
      await call.cluster.clock.sleep(RETRY_MS, signal).catch(() => {});
    }
  }
  const isGone = (): boolean => call.observer.now(pods, key)?.metadata.uid !== pod.metadata.uid;
  if (await call.observer.until(isGone, signal, timeoutMs)) call.io.out(`pod/${key.name} evicted\n`);
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/taint/taint.go TaintOptions.RunTaint */
export const taint: Command = {
  name: 'taint',
  usage: 'nodes NODE… KEY=VALUE:EFFECT… KEY:EFFECT-… [--overwrite]',
  summary: 'Sets and removes taints of a node',
  reads: false,
  flags: { ...SELECTOR, ...WRITING, overwrite: { type: 'switch', help: 'replace values' } },
  run: async (call) => {
    const [kind = '', ...args] = call.args;
    if (call.kinds.named(kind) !== nodes) throw new KubectlError('only nodes have taints');
    const isSpec = (arg: string): boolean => /[:=]|-$/.test(arg) && !/^[a-z0-9.-]+[^-:=]$/.test(arg);
    const specs = args.filter(isSpec);
    const names = args.filter((arg) => !isSpec(arg));
    if (specs.length === 0) throw new KubectlError('at least one taint update is required');
    for (const target of await selectAll(call, { args: ['nodes', ...names] })) {
      const { spec } = target.object as Node;
      const after = specs.reduce<readonly Taint[]>(
        (all, text) => changed(call, all, text),
        spec.taints ?? [],
      );
      const body = { spec: { taints: after.length > 0 ? after : null } };
      await call.client.patch(
        nodes,
        keyOf(target.object),
        { type: 'merge', body },
        writeOptions(call, 'taint'),
      );
      const added = specs.some((text) => !text.endsWith('-'));
      const removed = specs.some((text) => text.endsWith('-'));
      report(call, nodes, target.object, added && removed ? 'modified' : added ? 'tainted' : 'untainted');
    }
  },
};

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function changed(call: Call, taints: readonly Taint[], text: string): readonly Taint[] {
  const removes = text.endsWith('-');
  const [left = '', effect = ''] = (removes ? text.slice(0, -1) : text).split(':');
  const [key = '', value = ''] = left.split('=');
  if (effect !== '' && !EFFECTS.includes(effect)) {
    throw new KubectlError(`invalid taint effect: ${effect}, unsupported taint effect`);
  }
  const isSame = (each: Taint): boolean => each.key === key && (effect === '' || each.effect === effect);
  const others = taints.filter((each) => !isSame(each));
  if (removes) {
    if (others.length === taints.length) throw new KubectlError(`taint "${text.slice(0, -1)}" not found`);
    return others;
  }
  if (effect === '') throw new KubectlError(`invalid taint spec: ${text}`);
  if (others.length < taints.length && !call.flags.isOn('overwrite')) {
    throw new KubectlError(`node already has ${key} taint(s) with same effect(s) and --overwrite is false`);
  }
  return [...others, { key, effect, ...(value === '' ? {} : { value }) }];
}
