import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps, errors, type List } from '#harness';
import { named, vectors } from '#harness/testing';
import { configMap, listOf } from '#laws/21-informer';
import { nothing, reflect } from './reflect.fixture.ts';

describe('Level 4 · List', () => {
  test('lists first at any version that the server has cached', async () => {
    const { sim, reflector, requests, signal } = reflect();
    expect(reflector.relistResourceVersion(), 'resourceVersion 0: any state that the server has cached').toBe(
      '0',
    );
    await sim.settle(reflector.list(signal));
    expect(requests(), 'the requests to the server').toEqual(['list 0']);
  });

  test('pushes the whole list as one delta, and remembers its version', async () => {
    const { sim, reflector, pushed, signal } = reflect({
      list: () => listOf(configMaps, '7', [configMap('a', '3'), configMap('b', '6')]),
    });
    await sim.settle(reflector.list(signal));
    expect(pushed(), 'the deltas in the queue').toEqual(['ReplacedAll a@3 b@6 at 7']);
    expect(reflector.lastSyncResourceVersion, 'lastSyncResourceVersion').toBe('7');
  });

  test('pushes an empty list, too', async () => {
    const { sim, reflector, pushed, signal } = reflect({ list: () => nothing('7') });
    await sim.settle(reflector.list(signal));
    expect(pushed(), 'an empty list empties the cache: push it').toEqual(['ReplacedAll at 7']);
  });

  test('never lists at a version older than its last one', async () => {
    const { sim, reflector, requests, signal } = reflect({ list: () => nothing('7') });
    await sim.settle(reflector.list(signal));
    expect(
      reflector.relistResourceVersion(),
      'after a list at revision 7, a relist must ask for 7 or newer: 0 allows any cached state',
    ).toBe('7');
    await sim.settle(reflector.list(signal));
    expect(
      requests(),
      'the resourceVersion of both lists: 0 at first, then the last one that it has seen',
    ).toEqual(['list 0', 'list 7']);
  });

  test('lists the newest version while the last one is unavailable', () => {
    const { reflector } = reflect();
    reflector.lastSyncResourceVersion = '7';
    reflector.isLastSyncResourceVersionUnavailable = true;
    expect(
      reflector.relistResourceVersion(),
      'the server does not have the last version: ask for the newest with an empty resourceVersion',
    ).toBe('');
  });

  test.each([
    ['any more', errors.expired('compacted')],
    ['yet', errors.tooLargeResourceVersion(7, 5)],
  ])('lists the newest version when the server does not have its version %s', async (_, refusal) => {
    const { sim, reflector, requests, signal } = reflect({ list: answers({ 7: refusal, '': nothing('9') }) });
    reflector.lastSyncResourceVersion = '7';
    const rule = 'the server does not have version 7: list again at once, without a version';
    await expect(sim.settle(reflector.list(signal)), rule).resolves.toBeUndefined();
    expect(requests(), rule).toEqual(['list 7', 'list ""']);
    expect(reflector.lastSyncResourceVersion, 'lastSyncResourceVersion').toBe('9');
    expect(reflector.relistResourceVersion(), 'after a list that succeeded').toBe('9');
  });

  test('lists the newest version once, and throws if that fails', async () => {
    const { sim, reflector, requests, signal } = reflect({
      list: answers({ 7: errors.expired('compacted'), '': errors.expired('compacted, too') }),
    });
    reflector.lastSyncResourceVersion = '7';
    await expect(
      sim.settle(reflector.list(signal)),
      'both lists failed: list() must reject with the second error',
    ).rejects.toThrow(/compacted, too/);
    expect(requests(), 'one retry without a version, and no more').toEqual(['list 7', 'list ""']);
  });

  test('lists the newest version the next time if that list failed', async () => {
    let newest: List<ConfigMap> | Error = errors.internal('no leader');
    const { sim, reflector, requests, signal } = reflect({
      list: ({ resourceVersion }) =>
        answers({ 7: errors.expired('compacted'), '': newest })({
          ...(resourceVersion && { resourceVersion }),
        }),
    });
    reflector.lastSyncResourceVersion = '7';
    await expect(sim.settle(reflector.list(signal))).rejects.toThrow(/no leader/);
    newest = nothing('9');
    await sim.settle(reflector.list(signal));
    expect(requests(), 'version 7 is still unavailable, so the next list has no version').toEqual([
      'list 7',
      'list ""',
      'list ""',
    ]);
  });

  test('pushes nothing, keeps its version and throws when the list fails', async () => {
    const { sim, reflector, pushed, requests, signal } = reflect({
      list: answers({ 7: errors.internal('no leader') }),
    });
    reflector.lastSyncResourceVersion = '7';
    await expect(
      sim.settle(reflector.list(signal)),
      'the request failed: list() must reject with its error, so that run can report it and wait',
    ).rejects.toThrow(/no leader/);
    expect(pushed(), 'a list that failed pushes nothing').toEqual([]);
    expect(reflector.lastSyncResourceVersion, 'a list that failed changes no version').toBe('7');
    expect(requests(), 'list() retries only if the server does not have the version').toEqual(['list 7']);
  });

  interface ListsInput {
    readonly lists: Record<string, { resourceVersion: string; items: number; error?: string }>;
    readonly runs: number;
  }
  interface ListsExpect {
    readonly listCalls: string[];
    readonly storeSizes: number[];
  }
  const tables = vectors<Partial<ListsInput>, Partial<ListsExpect>>(
    'informer',
    'reflector',
    2,
    ({ input }) => input.lists !== undefined,
  );
  test.each(named(tables))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    const items = (count: number): ConfigMap[] =>
      Array.from({ length: count }, (_, i) => configMap(`c${i}`, `${i + 1}`));
    const { sim, reflector, server, pushed, signal } = reflect({
      list: ({ resourceVersion = '' }) => {
        const answer = input.lists?.[resourceVersion];
        if (!answer || answer.error) throw errors.expired('too old resource version');
        return listOf(configMaps, answer.resourceVersion, items(answer.items));
      },
    });
    for (let run = 0; run < (input.runs ?? 0); run++) await sim.settle(reflector.list(signal));
    const script = `${input.runs} calls of list, and the answers ${JSON.stringify(input.lists)}`;
    expect(
      server.asked.map(({ resourceVersion }) => resourceVersion),
      `the resourceVersions of the lists, with ${script}`,
    ).toEqual(expected.listCalls);
    expect(
      pushed().map((delta) => delta.split('@').length - 1),
      `the number of objects in each pushed list, with ${script}`,
    ).toEqual(expected.storeSizes);
  });
});

/** Returns the answer of the server to a list, by the requested resourceVersion. */
function answers(byVersion: Record<string, List<ConfigMap> | Error>) {
  return ({ resourceVersion = '' }: { readonly resourceVersion?: string }): List<ConfigMap> => {
    const answer = byVersion[resourceVersion];
    if (!answer) throw errors.internal(`the test has no answer to a list at "${resourceVersion}"`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
}
