import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps, errors } from '#harness';
import { named, vectors } from '#harness/testing';
import { configMap, listOf } from '#laws/21-informer';
import { nothing, reflect } from './reflect.fixture.ts';

describe('Level 3 · List', () => {
  const items = (count: number): ConfigMap[] =>
    Array.from({ length: count }, (_, i) => configMap(`c${i}`, `${i + 1}`));

  test('begins with any state that the server has at hand', async () => {
    const { sim, reflector, server, signal } = reflect({ list: () => nothing('7') });
    expect(reflector.lastSyncResourceVersion()).toBe('');
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0']);
  });

  test('replaces what is stored by what is listed, and remembers at which version it was listed', async () => {
    const { sim, reflector, stored, signal } = reflect({
      list: () => listOf(configMaps, '7', [configMap('a', '3'), configMap('b', '6')]),
    });
    await sim.settle(reflector.list(signal));
    expect(stored()).toEqual({ a: '3', b: '6' });
    expect(reflector.lastSyncResourceVersion()).toBe('7');
  });

  test('asks only for what is selected, on every page', async () => {
    const selection = { namespace: 'default', labelSelector: 'app=web', fieldSelector: 'metadata.name!=a' };
    const { sim, reflector, server, signal } = reflect({
      selection,
      list: ({ continue: token }) => listOf(configMaps, '7', [], token ? undefined : 'second'),
    });
    await sim.settle(reflector.list(signal));
    expect(server.asked).toHaveLength(2);
    for (const { options } of server.asked) expect(options).toMatchObject(selection);
  });

  test('never asks for less than it has seen', async () => {
    const { sim, reflector, server, signal } = reflect({ list: () => nothing('7') });
    await sim.settle(reflector.list(signal));
    expect(reflector.relistResourceVersion()).toBe('7');
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0', 'list 7']);
  });

  test('takes the newest state when the server does not have that version any more', async () => {
    const { sim, reflector, server, signal } = reflect({
      list: ({ resourceVersion }) => {
        if (resourceVersion === '7') throw errors.expired('compacted');
        return nothing(resourceVersion === '0' ? '7' : '9');
      },
    });
    await sim.settle(reflector.list(signal));
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0', 'list 7', 'list ""']);
    expect(reflector.lastSyncResourceVersion()).toBe('9');
    expect(reflector.relistResourceVersion()).toBe('9');
  });

  test('takes the newest state when the server does not have that version yet', async () => {
    const { sim, reflector, server, signal } = reflect({
      list: ({ resourceVersion }) => {
        if (resourceVersion === '7') throw errors.tooLargeResourceVersion(7, 5);
        return nothing(resourceVersion === '0' ? '7' : '9');
      },
    });
    await sim.settle(reflector.list(signal));
    await sim.settle(reflector.list(signal));
    expect(server.requests.slice(0, 3)).toEqual(['list 0', 'list 7', 'list ""']);
  });

  test('changes nothing when the list fails, and says so', async () => {
    let broken = false;
    const { sim, reflector, stored, signal } = reflect({
      list: () => {
        if (broken) throw errors.internal('no leader');
        return listOf(configMaps, '7', [configMap('a', '3')]);
      },
    });
    await sim.settle(reflector.list(signal));
    broken = true;
    await expect(sim.settle(reflector.list(signal))).rejects.toThrow(/no leader/);
    expect(stored()).toEqual({ a: '3' });
    expect(reflector.lastSyncResourceVersion()).toBe('7');
  });

  test('takes the newest state again, if that could not be had the first time', async () => {
    let broken = true;
    const { sim, reflector, server, signal } = reflect({
      list: ({ resourceVersion }) => {
        if (resourceVersion === '0') return nothing('7');
        if (resourceVersion === '7') throw errors.expired('compacted');
        if (broken) throw errors.internal('no leader');
        return nothing('9');
      },
    });
    await sim.settle(reflector.list(signal));
    await expect(sim.settle(reflector.list(signal))).rejects.toThrow(/no leader/);
    broken = false;
    await sim.settle(reflector.list(signal));
    expect(server.requests).toEqual(['list 0', 'list 7', 'list ""', 'list ""']);
  });

  test('fetches every page before it stores any', async () => {
    let storedMeanwhile: unknown;
    const { sim, reflector, stored, signal } = reflect({
      list: ({ continue: token }) => {
        if (token !== 'second') return listOf(configMaps, '7', [configMap('a', '1')], 'second');
        storedMeanwhile = stored();
        return listOf(configMaps, '7', [configMap('b', '2')]);
      },
    });
    await sim.settle(reflector.list(signal));
    expect(storedMeanwhile, 'when the second page was asked for').toEqual({});
    expect(stored()).toEqual({ a: '1', b: '2' });
  });

  test('starts over, in one piece, when the pages expire under its hands', async () => {
    const { sim, reflector, stored, signal } = reflect({
      list: ({ continue: token, limit }) => {
        if (token) throw errors.expired('the continue parameter is too old');
        if (limit) return listOf(configMaps, '7', [configMap('a', '1')], 'second');
        return listOf(configMaps, '9', [configMap('b', '8')]);
      },
    });
    await sim.settle(reflector.list(signal));
    expect(stored()).toEqual({ b: '8' });
    expect(reflector.lastSyncResourceVersion()).toBe('9');
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
    const { sim, reflector, server, stored, signal } = reflect({
      list: ({ resourceVersion = '' }) => {
        const answer = input.lists?.[resourceVersion];
        if (!answer || answer.error) throw errors.expired('too old resource version');
        return listOf(configMaps, answer.resourceVersion, items(answer.items));
      },
    });
    const sizes: number[] = [];
    for (let run = 0; run < (input.runs ?? 0); run++) {
      await sim.settle(reflector.list(signal));
      sizes.push(Object.keys(stored()).length);
    }
    expect(server.asked.map(({ resourceVersion }) => resourceVersion)).toEqual(expected.listCalls);
    expect(sizes).toEqual(expected.storeSizes);
  });
});
