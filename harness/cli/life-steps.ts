import type { Cluster } from '../cluster/cluster.ts';
import { processCalled } from '../cluster/component-table.ts';
import { type Act, chronicle } from '../drawing/chronicle/chronicle.ts';
import { sayTally, tallies } from '../drawing/chronicle/pod-tally.ts';
import { type Paint, plain } from './colours.ts';
import { wrap } from './wrap.ts';

/** One command, and its effects. */
export interface LifeStep {
  readonly typed: string;
  readonly look: string;
  /** The time of the command, in virtual ms. */
  readonly atMs: number;
  readonly acts: readonly (Act & { readonly pods: string })[];
  /** Lines below the acts. @defaultValue none */
  readonly seen?: readonly string[];
}

/** Returns the acts of components after this revision, each with the number of pods of each ReplicaSet. */
export function actsSince({ journal }: Cluster, revision: number): LifeStep['acts'] {
  const written = journal.entries.filter((entry) => entry.revision > revision && entry.actor !== 'kubectl');
  const acts = chronicle(written, {
    windowMs: 400,
    without: ['pod-bound', 'pod-started', 'sandbox', 'image', 'container', 'workload-status'],
  });
  const counted = tallies(
    journal,
    acts.map((act) => act.revision),
  );
  return acts.map((act) => ({ ...act, pods: sayTally(counted.get(act.revision) ?? []) }));
}

/** Options of {@link tellSteps}. */
export interface StepsOptions {
  /** The first paragraph. */
  readonly legend: string;
  /** The longest line of text, in characters; the timeline itself may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/**
 * Renders each command, the acts of each component below it, and the number of pods of each ReplicaSet at that time.
 */
export function tellSteps(
  steps: readonly LifeStep[],
  { legend, width = 100, paint = plain }: StepsOptions,
): string[] {
  const short = steps.map((chapter) => ({
    ...chapter,
    acts: chapter.acts.map(({ who, what, pods, ...act }) => ({
      ...act,
      who: processCalled(who)?.word ?? who,
      what: inShort(what)
        .replace('sets condition ', 'sets ')
        .replace(' on Deployment web', '')
        .replace('ReplicaSet ', '')
        .replace(/ \(\w+\)$/, ''),
      pods: inShort(pods)
        .replaceAll(' ready', '')
        .replace(/,? (\d+) stopping/g, ' (−$1)'),
    })),
  }));
  const acts = short.flatMap((chapter) => chapter.acts);
  const [who, what] = [widest(acts.map((act) => act.who)), widest(acts.map((act) => act.what))];
  const told = short.flatMap(({ typed, look, atMs, acts, seen = [] }) => {
    let last = '';
    const lines = acts.map((act) => {
      const pods = act.pods === last ? '' : act.pods;
      last = act.pods;
      const when = `+${((act.atMs - atMs) / 1_000).toFixed(1)}s`;
      return `${when.padStart(8)}  ${act.who.padEnd(who)}  ${act.what.padEnd(what)}  ${pods}`.trimEnd();
    });
    const text = wrap(look, width, '# ').map((line) => paint('dim', line));
    return ['', paint('bold', `$ ${typed}`), ...text, ...lines, ...seen];
  });
  return [...wrap(legend, width), ...told];
}

/** Shortens hashes to a unique prefix, and names a single pod by its ReplicaSet. */
function inShort(text: string): string {
  return text.replace(/\bPod (web-\w+)-\w+/, '1 Pod of $1').replace(/\bweb-(\w{5})\w+/g, 'web-$1');
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
