import type { Node } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { BLOCKS, PROCESS } from './scenario.ts';
import type { NodeIpamHistory } from './simulation.ts';

/** Safety: no two nodes have the same block, ever. */
export const disjoint: Law<NodeIpamHistory> = ({ nodes }) => {
  const has = new Map<string, string>();
  return nodes.flatMap((entry): Violation[] => {
    const { name } = entry.object.metadata;
    if (entry.type === 'DELETED') {
      has.delete(name);
      return [];
    }
    const { podCIDR } = entry.object.spec;
    if (!podCIDR || has.get(name) === podCIDR) return [];
    const other = [...has].find(([, cidr]) => cidr === podCIDR)?.[0];
    has.set(name, podCIDR);
    return other === undefined ? [] : [violation(entry, `gets ${podCIDR}, which ${other} has`)];
  });
};

/** Safety: a node gets one block of the range, whole, and `podCIDRs` says the same. */
export const wholeBlocks: Law<NodeIpamHistory> = ({ nodes }) =>
  given(nodes).flatMap((entry): Violation[] => {
    const { podCIDR = '', podCIDRs = [] } = entry.object.spec;
    const [, block] = /^10\.244\.(\d)\.0\/24$/.exec(podCIDR) ?? [];
    if (block !== undefined && Number(block) < BLOCKS && podCIDRs.join() === podCIDR) return [];
    return [violation(entry, `gets ${podCIDRs.join(' and ')}, which is no block of the range`)];
  });

/** Liveness: in the end each node has a block, unless there are too few. */
export const served: Law<NodeIpamHistory> = ({ restedMs, waiting, leftMs }) =>
  restedMs !== undefined
    ? []
    : waiting.map((name) => ({
        atMs: leftMs,
        message: `${name} has no block, and there are some left`,
        object: name,
      }));

/** Safety: a block that a node has given back is given again only when every other has been had, or tried, since. */
export const last: Law<NodeIpamHistory> = lawAbout(
  {
    name: 'a block that was given twice in one life of the controller',
    isMet: (history) => twice(history).length > 0,
  },
  (history) =>
    twice(history).flatMap(({ before, entry }): Violation[] => {
      const had = new Set([...heldSince(history, before, entry), ...triedSince(history, before, entry)]);
      if (had.size === BLOCKS) return [];
      const { podCIDR } = entry.object.spec;
      return [
        violation(
          entry,
          `gets ${podCIDR} again, and only ${had.size} of ${BLOCKS} blocks have been had since`,
        ),
      ];
    }),
);

/** The blocks of nodes that were there between the two writes, as far as the controller can have known. */
function heldSince(
  { nodes, toldOf }: NodeIpamHistory,
  before: JournalEntry<Node>,
  entry: JournalEntry<Node>,
): readonly string[] {
  const told = Math.min(toldOf(before.atMs), before.revision);
  const gone = new Set(
    nodes
      .filter(({ type, revision }) => type === 'DELETED' && revision <= told)
      .map(({ object }) => object.metadata.uid),
  );
  return nodes
    .filter(({ object, revision }) => revision <= entry.revision && !gone.has(object.metadata.uid))
    .flatMap(({ object }) => object.spec.podCIDR || []);
}

/** The blocks that the controller tried to write between the two. */
function triedSince(
  { requests }: NodeIpamHistory,
  before: JournalEntry<Node>,
  entry: JournalEntry<Node>,
): readonly string[] {
  return requests
    .filter(({ sentMs }) => sentMs >= before.atMs - LATE_MS && sentMs <= entry.atMs)
    .flatMap(({ request }) => /10\.244\.\d+\.0\/24/.exec(JSON.stringify(request)) ?? []);
}

/** Liveness: when each node has a block, nothing is written to nodes, also not by a controller that starts. */
export const quiet: Law<NodeIpamHistory> = ({ restedMs, nodes }) =>
  restedMs === undefined
    ? []
    : nodes
        .filter(({ actor, atMs }) => actor === PROCESS && atMs > restedMs + LATE_MS)
        .map((entry) => violation(entry, 'is written, though everything was as it should be'));

/** What had begun before the rest may still be under way. */
const LATE_MS = 1_000;

/** A block that is given, and the time before in which the same life of the controller gave it. */
function twice({ nodes, bornMs }: NodeIpamHistory): readonly {
  readonly before: JournalEntry<Node>;
  readonly entry: JournalEntry<Node>;
}[] {
  const all = given(nodes);
  const incarnationOf = (atMs: number): number => bornMs.filter((born) => born <= atMs).length;
  return all.flatMap((entry, i) => {
    const before = all
      .slice(0, i)
      .findLast(
        (each) =>
          each.object.spec.podCIDR === entry.object.spec.podCIDR &&
          incarnationOf(each.atMs) === incarnationOf(entry.atMs),
      );
    return before ? [{ before, entry }] : [];
  });
}

/** The writes by which the controller gives a block. */
function given(nodes: readonly JournalEntry<Node>[]): readonly JournalEntry<Node>[] {
  return nodes.filter(
    ({ actor, object, previous }) => actor === PROCESS && object.spec.podCIDR && !previous?.spec.podCIDR,
  );
}

function violation({ atMs, object }: JournalEntry<Node>, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${name} ${what}`, object: name };
}
