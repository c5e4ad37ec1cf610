import { componentTable } from '../cluster/component-table.ts';
import { entriesOf } from '../drawing/timeline.ts';
import { type History, installProperties } from '../testing/property.ts';
import { marked } from '../testing/violation.ts';
import type { FailedLaw } from '../workbook/failed-laws.ts';
import { judgedKata, type Kata } from '../workbook/katas.ts';
import type { Replay, ReplayAnswer, ReplayEntry, ReplayParting } from '../workbook/replay.ts';
import { KataModules, type Subject } from './judge-modules.ts';
import { captureUncaught } from './judge-run.ts';
import { partingLines } from './parting.ts';
import { entriesOfCalls, entriesOfHistory, lanesOf } from './replay-entries.ts';
import { type Replayed, replayed } from './replayed.ts';

/** A law to replay. */
interface ReplayedLaw {
  readonly modules: KataModules;
  readonly kata: Kata;
  /** The law that failed in the learner's last run. */
  readonly law: FailedLaw;
  /** The failing code. */
  readonly subject: Subject;
}

/**
 * Replays a failed law with the learner's code and with the reference, in this process, which may still run parts of the
 * code afterwards.
 *
 * @param root the workbook's folder
 * @param id `24-deployment`
 * @param entryPoints replacements of files of the harness, by absolute path
 * @throws Error when the code cannot be loaded
 */
export async function replayHere(
  root: string,
  id: string,
  law: FailedLaw,
  entryPoints: Readonly<Record<string, string>>,
): Promise<ReplayAnswer> {
  const kata = judgedKata(root, id);
  if (!kata) return { problem: `There is no kata ${id}.` };
  installProperties();
  captureUncaught();
  const modules = new KataModules(root, (what) => import(/* @vite-ignore */ entryPoints[what] ?? what));
  return await replayOf({ modules, kata, law, subject: { kind: 'stub' } });
}

/** Returns the replay of a failed law, or a sentence that explains why there is none. */
export async function replayOf({ modules, kata, law, subject }: ReplayedLaw): Promise<ReplayAnswer> {
  const named = nameOf(law.test);
  const mine = await replayed(modules, kata, subject, law);
  if (!mine) return { problem: `${kata.id} has no law "${named.name}" any more. Run the kata again.` };
  if (mine.error === undefined) {
    return {
      problem: `"${named.name}" holds now, on the scenario that failed in the last run. Run the kata again.`,
    };
  }
  const reference = await replayed(modules, kata, { kind: 'reference' }, law);
  if (![mine, reference].some((one) => one && hasHistory(one))) {
    return { problem: `"${named.name}" keeps no history of its run, so there is nothing to draw.` };
  }
  return { replay: { kata: kata.id, law: named, ...drawn(kata.id, mine, reference) } };
}

function hasHistory({ history: { timeline = [], calls = [] } }: Replayed): boolean {
  return timeline.length + calls.length > 0;
}

/** Splits the full name of a test at the colon after its name: `Never too many: it never creates …`. */
function nameOf(test: string): Replay['law'] {
  const title = test.split(' > ').at(-1) ?? '';
  const [name = '', ...statement] = title.split(': ');
  return { test, name, statement: statement.join(': ') };
}

function drawn(kata: string, mine: Replayed, reference: Replayed | undefined): Omit<Replay, 'kata' | 'law'> {
  const violation = violationOf(mine);
  const [sentence = ''] = violation.split('\n');
  const [own, other] = [drawnRun(mine.history), drawnRun(reference?.history ?? {})];
  const end: ReplayEntry = { actor: '', kind: 'violation', text: sentence };
  const atMs = mine.history.violation?.atMs ?? own.entries.at(-1)?.atMs;
  const at = own.violatedAt ?? own.entries.length;
  const entries = [
    ...own.entries.slice(0, at),
    { ...end, ...(atMs !== undefined && { atMs: Number(atMs.toFixed(3)) }) },
    ...own.entries.slice(at),
  ];
  const axis = own.isOrder || other.isOrder ? 'order' : 'time';
  const processes = Object.values(componentTable).flatMap((part) =>
    part.kata === kata && part.process ? [part.process.name] : [],
  );
  const lanes = lanesOf([...entries, ...other.entries], { kata, processes, isAll: axis === 'order' });
  const isLearners = (actor: string): boolean =>
    lanes.some((lane) => lane.actor === actor && lane.role === 'learner');
  const parting =
    axis === 'order'
      ? partingOfCalls(entries, other.entries)
      : own.entries.length > 0 && other.entries.length > 0
        ? partingLines(withMark(own.lines, at, sentence), other.lines, {
            violatedMs: atMs ?? Number.POSITIVE_INFINITY,
            isLearners,
          })
        : undefined;
  return {
    violation,
    ...(mine.input !== undefined && { scenario: mine.input }),
    axis,
    lanes,
    mine: entries,
    reference: other.entries,
    ...(parting && { parting }),
  };
}

/** Describes the violation; for code that throws or never ends, its error. */
function violationOf({ history, error }: Replayed): string {
  if (history.violation) return history.violation.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  return WORDED.test(cause.name) ? cause.message : `${cause.name}: ${cause.message}`;
}

/** Errors whose messages need no name before them. */
const WORDED =
  /^(?:Error|AssertionError|LawBroken|NotMet|NotDeterministic|NeverYielded|NeverEnded|MemoryUsedUp|Undecided)$/;

interface DrawnRun {
  readonly lines: readonly string[];
  readonly entries: readonly ReplayEntry[];
  /** The index of the violation between the entries; absent if the law names no place. */
  readonly violatedAt?: number;
  readonly isOrder: boolean;
}

function drawnRun({ timeline = [], violation, calls }: History): DrawnRun {
  if (calls) return { lines: [], entries: entriesOfCalls(calls), isOrder: true };
  const entries = entriesOfHistory(entriesOf(timeline) ?? []);
  const violatedAt = violation && marked(timeline, violation).findIndex((line) => line.startsWith('✗'));
  return {
    lines: entries.length > 0 ? timeline : [],
    entries,
    ...(violatedAt !== undefined && { violatedAt }),
    isOrder: false,
  };
}

function withMark(lines: readonly string[], at: number, sentence: string): readonly string[] {
  return [...lines.slice(0, at), `✗ ${sentence}`, ...lines.slice(at)];
}

/** Returns the first call of any actor that differs, or that gets another answer. */
function partingOfCalls(
  mine: readonly ReplayEntry[],
  reference: readonly ReplayEntry[],
): ReplayParting | undefined {
  const actors = new Set(mine.map(({ actor }) => actor));
  const found = [...actors].flatMap((actor) => {
    const [own, theirs] = [mine, reference].map((entries) =>
      entries.flatMap((entry, index) =>
        entry.actor === actor && entry.kind !== 'violation' ? [{ entry, index }] : [],
      ),
    );
    // The law stops at the violation: only with the reference it makes further calls.
    const pairs = (own ?? []).map((one, at) => [one, theirs?.[at]] as const);
    const pair = pairs.find(([one, other]) => keyOf(one.entry) !== keyOf(other?.entry));
    return pair ? [{ actor, pair }] : [];
  });
  const [first] = found.sort((a, b) => a.pair[0].index - b.pair[0].index);
  if (!first) return partingInside(mine, reference);
  const [own, other] = first.pair;
  return {
    by: other && own.entry.text === other.entry.text ? 'outcome' : 'act',
    actor: first.actor,
    mine: own.index,
    ...(other && { reference: other.index }),
  };
}

/** Returns the last call, if both runs have it: the law found the difference inside an answer that is too long to show. */
function partingInside(
  mine: readonly ReplayEntry[],
  reference: readonly ReplayEntry[],
): ReplayParting | undefined {
  const last = mine.findLastIndex(({ kind }) => kind !== 'violation');
  const own = mine[last];
  return own && reference[last]
    ? { by: 'content', actor: own.actor, mine: last, reference: last }
    : undefined;
}

function keyOf(entry: ReplayEntry | undefined): string {
  return entry ? [entry.text, entry.answer].join('\n') : '';
}
