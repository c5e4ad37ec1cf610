import type { KeyRange } from '../../../contracts/store/index.ts';
import type { Answer, Request } from '../history.ts';
import type { Known } from './known.ts';

/** All keys of a scenario. */
export const ALL_KEYS: KeyRange = { key: '!', end: '~' };

/** The past revisions that an audit reads, from the newest one. */
const PAST = [0, -1, -2, -3, -5, -8, -13, -21];

/** Reads everything: the present, some past revisions, and the next one, which no store has. */
export async function audit(run: {
  readonly known: Known;
  call(by: string, plan: () => Request): Promise<Answer | undefined>;
}): Promise<void> {
  const by = 'auditor';
  await run.call(by, () => ({ call: 'range', request: ALL_KEYS }));
  const { newest } = run.known;
  for (const revision of new Set(PAST.map((back) => Math.max(1, newest + back))))
    await run.call(by, () => ({ call: 'range', request: { ...ALL_KEYS, revision } }));
  await run.call(by, () => ({ call: 'range', request: { ...ALL_KEYS, revision: newest + 1 } }));
  await run.call(by, () => ({ call: 'range', request: { ...ALL_KEYS, limit: 1 } }));
  await run.call(by, () => ({
    call: 'transact',
    transaction: { then: [{ put: { key: 'audit', value: `${newest}` } }] },
  }));
}
