import type { Node } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Law, lawAbout, type Violation } from '../../testing/holds.ts';
import { PROCESS } from './scenario.ts';
import type { NodeIpamHistory } from './simulation.ts';

/** Safety: no two nodes ever have the same block. */
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

/** Safety: a node gets exactly one whole block of the range, and `podCIDRs` equals `podCIDR`. */
export const wholeBlocks: Law<NodeIpamHistory> = ({ nodes, blocks }) =>
  given(nodes).flatMap((entry): Violation[] => {
    const { podCIDR = '', podCIDRs = [] } = entry.object.spec;
    const [, block] = /^10\.244\.(\d+)\.0\/24$/.exec(podCIDR) ?? [];
    if (block !== undefined && Number(block) < blocks && podCIDRs.join() === podCIDR) return [];
    return [violation(entry, `gets ${podCIDRs.join(' and ')}, which is not a block of the range`)];
  });

/** Liveness: eventually each node has a block, unless there are too few. */
export const served: Law<NodeIpamHistory> = ({ restedMs, waiting, leftMs }) =>
  restedMs !== undefined
    ? []
    : waiting.map((name) => ({
        atMs: leftMs,
        message: `${name} has no block, although blocks are free`,
        object: name,
      }));

/** Safety: a released block is allocated again only after every other block was allocated or tried. */
export const last: Law<NodeIpamHistory> = lawAbout(
  {
    name: 'a block that was allocated twice by one incarnation of the controller',
    isMet: (history) => twice(history).length > 0,
  },
  (history) =>
    twice(history).flatMap(({ before, entry }): Violation[] => {
      const had = new Set([...heldSince(history, before, entry), ...triedSince(history, before, entry)]);
      if (had.size === history.blocks) return [];
      const { podCIDR } = entry.object.spec;
      return [
        violation(
          entry,
          `gets ${podCIDR} again, but only ${had.size} of ${history.blocks} blocks were allocated since`,
        ),
      ];
    }),
);

/** Returns the blocks of nodes that existed between the two writes, as far as the controller can have known. */
function heldSince(
  { nodes, observedOf }: NodeIpamHistory,
  before: JournalEntry<Node>,
  entry: JournalEntry<Node>,
): readonly string[] {
  const observed = Math.min(observedOf(before.atMs), before.revision);
  const gone = new Set(
    nodes
      .filter(({ type, revision }) => type === 'DELETED' && revision <= observed)
      .map(({ object }) => object.metadata.uid),
  );
  return nodes
    .filter(({ object, revision }) => revision <= entry.revision && !gone.has(object.metadata.uid))
    .flatMap(({ object }) => object.spec.podCIDR || []);
}

/** Returns the blocks that the controller tried to write between the two. */
function triedSince(
  { requests }: NodeIpamHistory,
  before: JournalEntry<Node>,
  entry: JournalEntry<Node>,
): readonly string[] {
  return requests
    .filter(({ sentMs }) => sentMs >= before.atMs - LATE_MS && sentMs <= entry.atMs)
    .flatMap(({ request }) => /10\.244\.\d+\.0\/24/.exec(JSON.stringify(request)) ?? []);
}

/** Liveness: when each node has a block, nobody writes nodes, not even a controller that restarts. */
export const quiet: Law<NodeIpamHistory> = ({ restedMs, nodes }) =>
  restedMs === undefined
    ? []
    : nodes
        .filter(({ actor, atMs }) => actor === PROCESS && atMs > restedMs + LATE_MS)
        .map((entry) => violation(entry, 'is written, although everything was correct'));

/** Requests from before the rest may still be in flight. */
const LATE_MS = 1_000;

/**
 * Returns each allocation of a block together with its previous allocation in the same incarnation of the controller.
 */
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

/** Returns the writes that allocate a block. */
function given(nodes: readonly JournalEntry<Node>[]): readonly JournalEntry<Node>[] {
  return nodes.filter(
    ({ actor, object, previous }) => actor === PROCESS && object.spec.podCIDR && !previous?.spec.podCIDR,
  );
}

function violation({ atMs, object }: JournalEntry<Node>, what: string): Violation {
  const { name } = object.metadata;
  return { atMs, message: `${name} ${what}`, object: name };
}
