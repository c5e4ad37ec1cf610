import type { Job, KubeObject, Pod } from '../../../api/objects.ts';
import { jobs } from '../../../api/plain-resources.ts';
import { pods } from '../../../api/resource.ts';
import { type JournalEntry, momentsOf } from '../../../cluster/journal.ts';
import type { Violation } from '../../../testing/holds.ts';
import { changedBy } from '../../../testing/rig/changed.ts';
import { isPrompt, owesNothing, quietPeriodsIn } from '../../../testing/rig/obligations.ts';
import type { JobHistory, JobLaw } from '../history.ts';
import { PROCESS } from '../operations.ts';
import { jobObligations, type Snapshot } from '../oracle/obligations.ts';
import { failuresIn } from '../simulation.ts';

/** In the end no obligation is pending. */
export const atRest: JobLaw = owesNothing<JobHistory, Snapshot>(jobObligations, ({ left, leftMs }) => ({
  atMs: leftMs,
  snapshot: left,
}));

/** The time of one batch of pod events, of a refused request, and of some requests. */
const WITHIN_MS = 2_000;

/** A failed sync is retried within this time. */
const RETRY_MS = 65_000;

/** In a quiet period no obligation is pending that was due two seconds before. */
export const prompt: JobLaw = isPrompt<JobHistory, Snapshot>(
  jobObligations,
  WITHIN_MS,
  ({ journal, hasFaults, healedMs, leftMs }) =>
    quietPeriodsIn(journal, {
      longerThanMs: WITHIN_MS,
      sinceMs: hasFaults ? healedMs + RETRY_MS : 0,
      endMs: leftMs,
      isHeard,
    }),
  ({ objects }, nowMs, history) => ({
    jobs: [...objects(jobs).values()] as Job[],
    pods: [...objects(pods).values()] as Pod[],
    failures: failuresIn(history.pods.all.length === 0 ? [] : podEntries(history, nowMs), history.epochMs),
    nowMs: history.epochMs + nowMs,
  }),
);

function isHeard({ resource }: JournalEntry): boolean {
  return resource.plural === 'pods' || resource.plural === 'jobs';
}

function podEntries({ journal }: JobHistory, untilMs: number): readonly JournalEntry<Pod>[] {
  return journal.filter(
    (entry): entry is JournalEntry<never> => entry.resource.plural === 'pods' && entry.atMs <= untilMs,
  );
}

/** Without obligations the controller writes nothing. */
export const quiet: JobLaw = (history) => {
  const { restedMs, journal, epochMs } = history;
  if (restedMs === undefined) return [];
  const violations: Violation[] = [];
  let before: Snapshot | undefined;
  for (const { entry, objects } of momentsOf(journal)) {
    if (entry.actor === PROCESS && isHeard(entry) && entry.atMs > restedMs && before) {
      // A controller may have forgotten failures, and then waits for a shorter time.
      const snapshot = { ...before, failures: new Map(), nowMs: epochMs + entry.atMs };
      if (jobObligations(snapshot).length === 0 && !isDying(entry.object))
        violations.push({
          atMs: entry.atMs,
          message: `the controller sent ${entry.verb} ${entry.resource.plural}/${entry.object.metadata.name}, although nothing needed to change; it changed ${changedBy(entry)}`,
          object: entry.object.metadata.name,
        });
    }
    if (entry.atMs < restedMs) continue;
    before = {
      jobs: [...objects(jobs).values()] as Job[],
      pods: [...objects(pods).values()] as Pod[],
      failures: new Map(),
      nowMs: epochMs + entry.atMs,
    };
  }
  return violations;
};

/** The end of a Job that is being deleted matters to nobody: a controller may still decide it. */
function isDying({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
