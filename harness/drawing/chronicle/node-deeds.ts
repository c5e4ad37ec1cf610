import type { Node } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Deed } from './deed.ts';

/** Describes a write of a Node: its pod addresses, its condition `Ready`, its taints, its deletion. */
export function nodeDeeds(entry: JournalEntry<Node>): readonly Deed[] {
  const { type, previous } = entry;
  if (type === 'DELETED') return [together(entry, 'removes', (names) => `removes ${names}`)];
  if (!previous) return [];
  return [...addressDeeds(entry, previous), ...readyDeeds(entry, previous), ...taintDeeds(entry, previous)];
}

function addressDeeds(entry: JournalEntry<Node>, previous: Node): readonly Deed[] {
  if (!entry.object.spec.podCIDR || previous.spec.podCIDR) return [];
  const tell = (deeds: readonly Deed[]): string => {
    const given = deeds.map((deed) => deed.entry.object as Node);
    const names = given.map(({ metadata }) => metadata.name).join(', ');
    return `assigns pod addresses to ${names}: ${given.map(({ spec }) => spec.podCIDR).join(', ')}`;
  };
  return [{ entry: entry as unknown as JournalEntry, kind: 'network', group: 'addresses for pods', tell }];
}

function readyDeeds(entry: JournalEntry<Node>, previous: Node): readonly Deed[] {
  const [before, after] = [readyOf(previous), readyOf(entry.object)];
  if (after === undefined || before === after) return [];
  return [together(entry, `Ready=${after}`, (names) => `sets Ready=${after} on ${names}`)];
}

function taintDeeds(entry: JournalEntry<Node>, previous: Node): readonly Deed[] {
  const [before, after] = [taintsOf(previous), taintsOf(entry.object)];
  const added = after.filter((taint) => !before.includes(taint));
  const removed = before.filter((taint) => !after.includes(taint));
  return [
    ...added.map((taint) =>
      together(entry, `taint ${taint}`, (names) => `adds the taint ${taint} to ${names}`),
    ),
    ...removed.map((taint) =>
      together(entry, `no taint ${taint}`, (names) => `removes the taint ${taint} from ${names}`),
    ),
  ];
}

const readyOf = ({ status }: Node): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Returns taints as kubectl writes them, without the domain of the well-known ones. */
const taintsOf = ({ spec }: Node): readonly string[] =>
  (spec.taints ?? []).map(({ key, value, effect }) => {
    const name = key.replace(/^node\.kubernetes\.io\//, '');
    return `${name}${value ? `=${value}` : ''}:${effect}`;
  });

function together(entry: JournalEntry<Node>, group: string, tell: (names: string) => string): Deed {
  return {
    entry: entry as unknown as JournalEntry,
    kind: 'node',
    group,
    tell: (deeds) => {
      const names = deeds.map((deed) => deed.entry.object.metadata.name);
      return tell(`Node${names.length === 1 ? '' : 's'} ${names.join(', ')}`);
    },
  };
}
