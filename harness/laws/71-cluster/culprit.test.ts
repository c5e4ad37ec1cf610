import { describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { type ClusterViolation, culpritOf, describeCulprit, type FailedHistory } from './culprit.ts';

/** Components whose only part says whose it is. */
const partsOf = (kata: string, whose: string) => ({ [kata]: whose }) as unknown as Partial<Components>;

const KATAS = ['21-informer', '23-replicaset', '33-bind', '41-kubelet'];
const violation: ClusterViolation = {
  atMs: 7,
  message: 'too many pods',
  kata: '23-replicaset',
  law: 'never',
};

/** A history that fails if `fails` returns true for the katas whose components are the learner's. */
function historyThat(
  fails: (own: readonly string[]) => boolean,
  { own = KATAS }: { readonly own?: readonly string[] } = {},
): FailedHistory & { readonly tried: readonly string[] } {
  const tried: string[] = [];
  return {
    reference: Object.assign({}, ...KATAS.map((kata) => partsOf(kata, 'reference'))),
    own: new Map(own.map((kata) => [kata, partsOf(kata, 'own')])),
    violation,
    tried,
    rerun: async (components) => {
      const used = Object.entries(components).flatMap(([kata, whose]) =>
        (whose as unknown) === 'own' ? [kata.slice(0, 2)] : [],
      );
      tried.push(used.join(' '));
      return fails(used) ? violation : undefined;
    },
  };
}

describe('culpritOf', () => {
  test('names the only kata of the learner after one rerun', async () => {
    const history = historyThat((own) => own.includes('41'), { own: ['41-kubelet'] });
    expect(await culpritOf(history)).toMatchObject({ katas: ['41-kubelet'], isSole: true, reruns: 1 });
  });

  test('substitutes the kata of the violated law first', async () => {
    const history = historyThat((own) => own.includes('23'));
    expect(await culpritOf(history)).toMatchObject({ katas: ['23-replicaset'], isSole: true, reruns: 3 });
    expect(history.tried).toEqual(['', '21 33 41', '23']);
  });

  test('names a kata other than that of the violated law', async () => {
    const history = historyThat((own) => own.includes('33'));
    expect(await culpritOf(history)).toMatchObject({ katas: ['33-bind'], isSole: true });
  });

  test('does not name a kata that only changes the course of events', async () => {
    // Without 23 the history does not reach the situation, but 41 is wrong.
    const history = historyThat((own) => own.includes('41') && (own.includes('23') || own.length === 1));
    expect(await culpritOf(history)).toMatchObject({ katas: ['41-kubelet'], isSole: true });
  });

  test('names two katas that fail only together', async () => {
    const history = historyThat((own) => own.includes('21') && own.includes('41'));
    expect(await culpritOf(history)).toMatchObject({ katas: ['21-informer', '41-kubelet'], isSole: true });
  });

  test('names one of two wrong katas, and reports that it is not the only one', async () => {
    const history = historyThat((own) => own.includes('21') || own.includes('41'));
    const culprit = await culpritOf(history);
    expect(culprit).toMatchObject({ katas: ['21-informer'], isSole: false });
    expect(describeCulprit(culprit)).toContain('another component is wrong as well');
  });

  test('names none if the reference fails, too', async () => {
    const history = historyThat(() => true);
    const culprit = await culpritOf(history);
    expect(culprit).toMatchObject({ katas: [], isSole: false, reruns: 1 });
    expect(describeCulprit(culprit)).toContain('Please report it');
  });

  test("names none without a rerun if no component is the learner's", async () => {
    const history = historyThat(() => true, { own: [] });
    expect(await culpritOf(history)).toMatchObject({ katas: [], reruns: 0 });
    expect(history.tried).toEqual([]);
  });

  test('runs no set of components twice', async () => {
    const history = historyThat((own) => own.includes('21') && own.includes('33') && own.includes('41'));
    expect(await culpritOf(history)).toMatchObject({ katas: ['21-informer', '33-bind', '41-kubelet'] });
    expect(new Set(history.tried).size).toBe(history.tried.length);
  });
});
