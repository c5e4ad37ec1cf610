import fc from 'fast-check';
import {
  CycleState,
  type Filtering,
  type FilterPlugin,
  isRejected,
  type Status,
  skip,
  success,
  unresolvable,
  unschedulable,
} from '../../../contracts/framework/index.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { described } from '../../../testing/telling.ts';
import { aSchedulingNode, aSchedulingPod, aSnapshot } from '../../scheduling/levels/objects.ts';
import { nodeNamed } from '../../scheduling/scenario/parts.ts';
import { from, isSame, say } from './asking.ts';

/** The statuses of a generated plugin: for the pod, and for each node. */
interface Says {
  readonly before: Status | undefined;
  readonly ofNodes: readonly Status[];
}

interface AnyPlugins {
  readonly says: readonly Says[];
  readonly nodes: number;
  readonly startIndex: number;
}

const NODES_MAX = 4;

const anyPlugins: fc.Arbitrary<AnyPlugins> = fc
  .record({
    says: fc
      .array(
        fc.record({
          before: fc.constantFrom('none', 'success', 'success', 'skip', 'unschedulable', 'unresolvable'),
          ofNodes: fc.array(fc.constantFrom('success', 'success', 'unschedulable', 'unresolvable'), {
            minLength: NODES_MAX,
            maxLength: NODES_MAX,
          }),
        }),
        { maxLength: 4 },
      )
      .map((all) =>
        all.map(({ before, ofNodes }, index): Says => {
          const of = (what: string, where: string): Status => {
            if (what === 'skip') return skip;
            if (what === 'success') return success;
            return (what === 'unschedulable' ? unschedulable : unresolvable)(`${where} by ${index}`);
          };
          return {
            before: before === 'none' ? undefined : of(before, 'everywhere'),
            ofNodes: ofNodes.map((what) => of(what, 'here')),
          };
        }),
      ),
    nodes: fc.integer({ min: 0, max: NODES_MAX }),
    startIndex: fc.nat({ max: 5 }),
  })
  .map((input) =>
    described(input, ({ says, nodes, startIndex }) => [
      ...says.map(
        ({ before, ofNodes }, index) =>
          `plugin-${index}: ${before ? `preFilter ${sayCode(before)}` : 'no preFilter'}; ` +
          `filter ${ofNodes
            .slice(0, nodes)
            .map((status, node) => `${nodeNamed(node)} ${sayCode(status)}`)
            .join(', ')}`,
      ),
      `${nodes} nodes, start index ${startIndex}`,
    ]),
  );

function sayCode(status: Status): string {
  return isRejected(status) ? say(status) : status.code;
}

/**
 * `findNodesThatFit` works with the plugins of any profile. It calls each preFilter in order until one is unresolvable, then for each
 * node the filters that were not skipped, in order, until one rejects the pod.
 */
export const asksEveryPlugin: PureLaw<Filtering, AnyPlugins> = {
  inputs: anyPlugins,
  violation({ findNodesThatFit }, { says, nodes, startIndex }) {
    const wasAsked: string[] = [];
    const plugins = says.map(({ before, ofNodes }, index): FilterPlugin => {
      const name = `plugin-${index}`;
      return {
        name,
        ...(before && {
          preFilter: () => {
            wasAsked.push(`${name}.preFilter`);
            return before;
          },
        }),
        filter: (_state, _pod, info) => {
          wasAsked.push(`${name}.filter of ${info.name}`);
          return ofNodes[Number(info.name.slice(nodeNamed(0).length - 1))] ?? success;
        },
        eventsToRegister: () => [],
      };
    });
    const names = [...Array(nodes).keys()].map(nodeNamed);
    const snapshot = aSnapshot(names.map((name) => aSchedulingNode(name)));
    const state = new CycleState();
    const found = findNodesThatFit({ plugins, state, pod: aSchedulingPod(), snapshot, startIndex });
    const right = expected(says, names, startIndex);
    const [asked, toAsk] = [wasAsked, right.asked].map((all) => [...new Set(all)].sort());
    if (list(asked) !== list(toAsk)) {
      return `findNodesThatFit made these calls:\n${list(asked)}\nExpected:\n${list(toAsk)}\n${ORDER}`;
    }
    const { feasible, diagnosis, nextStartIndex } = found;
    const fits = feasible.map(({ name }) => name);
    if (fits.join() !== right.feasible.join())
      return `feasible is ${fits || 'empty'}; expected ${right.feasible.join() || 'none'}.\n${ORDER}`;
    const wrong = names.find((name) => {
      const [is, should] = [diagnosis.nodeToStatus.get(name), right.nodeToStatus.get(name)];
      return is === undefined || should === undefined ? is !== should : !isSame(is, should);
    });
    if (wrong !== undefined) {
      const told = (status: Status | undefined) => (status ? say(status) : 'nothing');
      return (
        `diagnosis.nodeToStatus has for ${wrong}\n  ${told(diagnosis.nodeToStatus.get(wrong))}\n` +
        `Expected\n  ${told(right.nodeToStatus.get(wrong))}\n${ORDER}`
      );
    }
    for (const [what, is, should] of [
      ['preFilterMsg', diagnosis.preFilterMsg, right.preFilterMsg],
      ['unschedulablePlugins', [...diagnosis.unschedulablePlugins].sort().join(), right.guilty.join()],
      ['nextStartIndex', nextStartIndex, right.nextStartIndex],
    ] as const) {
      if (is !== should)
        return `${what} is ${is === '' ? 'empty' : is}; expected ${should === '' ? 'empty' : should}.\n${ORDER}`;
    }
    return undefined;
  },
};

const ORDER = [
  'Call each preFilter in turn, until one returns UnschedulableAndUnresolvable.',
  'If any of them rejected the pod, the last rejection is the result, and no filter runs.',
  'Otherwise begin at startIndex and go round; on each node call the filters in turn, until one rejects the pod.',
  'A plugin whose preFilter returned Skip has no say.',
].join('\n');

interface Expected {
  readonly asked: readonly string[];
  readonly feasible: readonly string[];
  readonly nodeToStatus: ReadonlyMap<string, Status>;
  readonly preFilterMsg: string;
  readonly guilty: readonly string[];
  readonly nextStartIndex: number;
}

function expected(says: readonly Says[], names: readonly string[], startIndex: number): Expected {
  const hopeless = says.findIndex(({ before }) => before?.code === 'UnschedulableAndUnresolvable');
  const heard = hopeless < 0 ? says : says.slice(0, hopeless + 1);
  const asked = heard.flatMap(({ before }, index) => (before ? [`plugin-${index}.preFilter`] : []));
  const counts = heard.findLastIndex(({ before }) => before !== undefined && isRejected(before));
  const rejection = heard[counts]?.before;
  if (rejection) {
    const preFilterMsg = rejection.reasons.join(', ');
    const guilty = [`plugin-${counts}`];
    return { asked, feasible: [], nodeToStatus: new Map(), preFilterMsg, guilty, nextStartIndex: startIndex };
  }
  const feasible: string[] = [];
  const nodeToStatus = new Map<string, Status>();
  const guilty = new Set<string>();
  for (const name of names.length > 0 ? from(startIndex, names) : []) {
    const node = names.indexOf(name);
    for (const [index, { before, ofNodes }] of says.entries()) {
      if (before?.code === 'Skip') continue;
      asked.push(`plugin-${index}.filter of ${name}`);
      const status = ofNodes[node] ?? success;
      if (!isRejected(status)) continue;
      nodeToStatus.set(name, status);
      guilty.add(`plugin-${index}`);
      break;
    }
    if (!nodeToStatus.has(name)) feasible.push(name);
  }
  const nextStartIndex = names.length > 0 ? startIndex % names.length : 0;
  return { asked, feasible, nodeToStatus, preFilterMsg: '', guilty: [...guilty].sort(), nextStartIndex };
}

function list(lines: readonly string[] = []): string {
  return lines.map((line) => `  ${line}`).join('\n') || '  none';
}
