import { type Assertion, expect } from 'vitest';
import { framework, type Node, type Pod } from '#harness';
import { aSnapshot } from '#laws/scheduling';

/** Returns the status of each node as text: `Success`, or the code and the reasons. */
export type Said = Readonly<Record<string, string>>;

/** A verdict as text: its code, and its reasons if it has any. */
export const say = ({ code, reasons }: framework.Status): string =>
  framework.isRejected({ code, reasons }) ? `${code}: ${reasons.join(', ')}` : code;

/** Asks a plugin as a scheduler does: preFilter once; then filter for each node, unless preFilter has said it all. */
export function ask(plugin: framework.FilterPlugin, pod: Pod, snapshot: framework.Snapshot): Said {
  const state = new framework.CycleState();
  const first = plugin.preFilter?.(state, pod, snapshot) ?? framework.success;
  return Object.fromEntries(
    snapshot.nodeInfos.map((info) => [
      info.name,
      first.code === 'Skip'
        ? 'Success'
        : say(framework.isRejected(first) ? first : plugin.filter(state, pod, info)),
    ]),
  );
}

/** Returns the status of one node with these pods. */
export function askOne(
  plugin: framework.FilterPlugin,
  pod: Pod,
  node: Node,
  pods: readonly Pod[] = [],
): string {
  const { name } = node.metadata;
  const there = pods.map((each) => ({ ...each, spec: { ...each.spec, nodeName: name } }));
  return ask(plugin, pod, aSnapshot([node], there))[name] ?? 'nothing';
}

/** Expects a verdict about one node; a failure shows the pod, the node and the pods on it. */
export function expectOne(
  plugin: framework.FilterPlugin,
  pod: Pod,
  node: Node,
  pods: readonly Pod[] = [],
): Assertion<string> {
  const there = pods.map((each) => ({ ...each, spec: { ...each.spec, nodeName: node.metadata.name } }));
  return expect(askOne(plugin, pod, node, pods), about(pod, [node], there, `the verdict of ${plugin.name}`));
}

/** As YAML would write it in one line, more or less. */
export const inLine = (value: unknown): string =>
  (JSON.stringify(value) ?? 'undefined')
    .replace(/"([\w./-]+)":/g, '$1: ')
    .replaceAll('requiredDuringSchedulingIgnoredDuringExecution', 'required…');

/** Describes the pod and each node with its pods, for the message of a failure. */
export function about(
  pod: Pod,
  nodes: readonly Node[],
  pods: readonly Pod[] = [],
  what = 'verdicts',
): string {
  const seen = ({ metadata: { namespace, labels: own, deletionTimestamp }, spec }: Pod): string => {
    const { containers, nodeName, ...rest } = spec;
    const elsewhere = namespace === 'default' ? {} : { namespace };
    const named = nodeName === undefined || pods.some((each) => each.spec === spec) ? {} : { nodeName };
    const has = containers.flatMap(({ ports, resources }) =>
      ports || resources?.requests ? [{ ports, ...resources }] : [],
    );
    const asks = has.length > 0 ? { containers: has } : {};
    return inLine({ ...elsewhere, labels: own, deletionTimestamp, ...named, ...asks, ...rest });
  };
  return [
    `the pod ${seen(pod)}`,
    ...nodes.map(({ metadata: { name, labels: own }, spec: { taints, unschedulable } }) => {
      const there = pods.filter(({ spec: { nodeName: on } }) => on === name);
      const has = there.map((each) => `${each.metadata.name} ${seen(each)}`);
      return `${name} ${inLine({ labels: own, taints, unschedulable })} has ${has.join(', ') || 'no pods'}`;
    }),
    what,
  ].join('\n');
}
