import type { GroupReport, KataReport, Report } from './report.ts';

/** Returns a group of laws with these numbers of tests. */
export function lawsReport(passed: number, failed: number, notRun = 0): GroupReport {
  const state = failed > 0 ? 'failed' : notRun > 0 ? 'notRun' : 'passed';
  return { name: 'The laws', optional: false, state, passed, failed, undecided: 0, notRun, tests: [] };
}

/** Returns a kata that the learner has begun, in a report. */
export function kataReport(changes: Partial<KataReport> = {}): KataReport {
  return {
    id: '23-replicaset',
    title: '23 · The ReplicaSet controller',
    state: 'begun',
    text: 'Level 3 of 9',
    place: 'Level 3',
    stale: false,
    functions: { left: 2, total: 5 },
    levels: [],
    laws: [lawsReport(0, 0, 15)],
    touchedAt: new Date(0).toISOString(),
    ...changes,
  };
}

/** Returns a report of these katas. */
export function reportWith(katas: readonly KataReport[], atMs = 0): Report {
  return { version: 1, at: new Date(atMs).toISOString(), katas };
}
