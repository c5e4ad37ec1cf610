import { describe, expect, test } from 'vitest';
import type { ConfigMap, List } from '../../api/objects.ts';
import { configMaps } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { type Random, seededRandom } from '../../sim/index.ts';
import type { Client, ListOptions, Selection, WatchOptions } from '../client.ts';
import { WatchQueue } from '../watch-queue.ts';
import { ListerWatcher } from './lister-watcher.ts';

/** Returns a page of objects with these names, at this version. */
function page(resourceVersion: string, names: readonly string[], more?: string): List<ConfigMap> {
  const items = names.map((name): ConfigMap => {
    const metadata = {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion,
      creationTimestamp: '2024-04-17T00:00:00Z',
    };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  });
  const metadata = more === undefined ? { resourceVersion } : { resourceVersion, continue: more };
  return { apiVersion: 'v1', kind: 'ConfigMapList', metadata, items };
}

/**
 * Creates a ListerWatcher whose client answers lists with `answer`, and records its requests. The streams stay open.
 */
function listing(
  answer: (options: ListOptions) => List<ConfigMap> = () => page('7', []),
  { selection = {}, random = seededRandom(1) }: { selection?: Selection; random?: Random } = {},
) {
  const lists: ListOptions[] = [];
  const watches: WatchOptions[] = [];
  const client = {
    list: async (_: unknown, options: ListOptions) => {
      lists.push(options);
      return answer(options);
    },
    watch: async (_: unknown, options: WatchOptions) => {
      watches.push(options);
      return new WatchQueue<ConfigMap>();
    },
  } as unknown as Pick<Client, 'list' | 'watch'>;
  const listerWatcher = new ListerWatcher<ConfigMap>({ client, resource: configMaps, random, ...selection });
  const { signal } = new AbortController();
  return {
    lists,
    watches,
    signal,
    listerWatcher,
    list: async (resourceVersion: string) => {
      const { metadata, items } = await listerWatcher.list(resourceVersion, signal);
      return `${items.map((each) => each.metadata.name).join(' ')} at ${metadata.resourceVersion}`;
    },
  };
}

const selection = { namespace: 'default', labelSelector: 'app=web', fieldSelector: 'metadata.name!=a' };

describe('A list', () => {
  test.each(['', '0', '7'])('requests the version that it was called with: "%s"', async (resourceVersion) => {
    const { list, lists } = listing(() => page('9', ['a', 'b']));
    expect(await list(resourceVersion)).toBe('a b at 9');
    expect(lists.map((options) => options.resourceVersion)).toEqual([resourceVersion]);
  });

  test.each([
    ['', 500],
    ['0', 500],
    ['7', undefined],
  ])('from "%s" has pages of %s: a list at a version comes whole from the cache', async (from, limit) => {
    const { list, lists } = listing();
    await list(from);
    expect(lists.map((options) => options.limit)).toEqual([limit]);
  });

  test('fetches all pages, each with the token of the page before, and requests the version only once', async () => {
    const pages: Record<string, List<ConfigMap>> = {
      first: page('7', ['a', 'b'], 'second'),
      second: page('7', ['c'], 'third'),
      third: page('7', ['d']),
    };
    const { list, lists } = listing((options) => pages[options.continue ?? 'first'] as List<ConfigMap>);
    expect(await list('0')).toBe('a b c d at 7');
    expect(lists.map((options) => [options.resourceVersion, options.continue, options.limit])).toEqual([
      ['0', undefined, 500],
      [undefined, 'second', 500],
      [undefined, 'third', 500],
    ]);
  });

  test('fetches further pages from a server that splits the list without a limit', async () => {
    const { list, lists } = listing((options) =>
      options.continue ? page('7', ['b']) : page('7', ['a'], 'second'),
    );
    expect(await list('5')).toBe('a b at 7');
    expect(lists.map((options) => options.limit)).toEqual([undefined, undefined]);
  });

  test.each(['', '0', '7'])(
    'from "%s" restarts without pages, from the same version, when the token expires between two pages',
    async (from) => {
      const { list, lists } = listing(({ continue: token }) => {
        if (token) throw errors.expired('the continue token is too old');
        return lists.length === 1 ? page('8', ['a'], 'second') : page('9', ['b', 'c']);
      });
      expect(await list(from)).toBe('b c at 9');
      const { limit, continue: token, resourceVersion } = lists[2] ?? {};
      expect({ limit, token, resourceVersion }).toEqual({
        limit: undefined,
        token: undefined,
        resourceVersion: from,
      });
    },
  );

  test.each([
    ['the version has expired', errors.expired('compacted')],
    ['the version is not reached yet', errors.tooLargeResourceVersion(7, 5)],
    ['the server fails', errors.internal('no leader')],
  ])('throws the error of the first page: %s', async (_, error) => {
    const { list, lists } = listing(() => {
      throw error;
    });
    await expect(list('7')).rejects.toBe(error);
    expect(lists).toHaveLength(1);
  });

  test('throws the error of a further page, unless it has expired', async () => {
    const error = errors.internal('no leader');
    const { list, lists } = listing(({ continue: token }) => {
      if (token) throw error;
      return page('7', ['a'], 'second');
    });
    await expect(list('0')).rejects.toBe(error);
    expect(lists).toHaveLength(2);
  });

  test('throws the error of the restarted list', async () => {
    const error = errors.internal('no leader');
    const { list, lists } = listing(({ continue: token, limit }) => {
      if (token) throw errors.expired('the continue token is too old');
      if (limit === undefined) throw error;
      return page('7', ['a'], 'second');
    });
    await expect(list('0')).rejects.toBe(error);
    expect(lists).toHaveLength(3);
  });

  test('sends the selection and the signal with each page, and with the restarted list', async () => {
    const { list, lists, signal } = listing(
      ({ continue: token, limit }) => {
        if (token === 'third') throw errors.expired('the continue token is too old');
        if (limit === undefined) return page('9', []);
        return page('7', [], token ? 'third' : 'second');
      },
      { selection },
    );
    await list('0');
    expect(lists).toHaveLength(4);
    for (const options of lists) expect(options).toMatchObject({ ...selection, signal });
  });

  test('omits selection fields that it was not given', async () => {
    const { list, lists } = listing();
    await list('0');
    expect(Object.keys(lists[0] ?? {}).sort()).toEqual(['limit', 'resourceVersion', 'signal']);
  });
});

describe('A watch', () => {
  test('starts at the version, with bookmarks, a timeout and the signal', async () => {
    const { listerWatcher, watches, signal } = listing();
    await listerWatcher.watch('10', signal);
    expect(watches).toEqual([
      { resourceVersion: '10', allowWatchBookmarks: true, timeoutSeconds: expect.any(Number), signal },
    ]);
  });

  test('sends the selection', async () => {
    const { listerWatcher, watches, signal } = listing(undefined, { selection });
    await listerWatcher.watch('10', signal);
    expect(watches).toMatchObject([selection]);
  });

  test.each(['watch', 'watchList'] as const)(
    'requests a random timeout of 5 to 10 minutes: %s',
    async (verb) => {
      const ends: (number | undefined)[] = [];
      for (const float of [0, 0.5, 0.999_999]) {
        const random = { ...seededRandom(1), float: () => float };
        const { listerWatcher, watches, signal } = listing(undefined, { random });
        await listerWatcher[verb]('10', signal);
        ends.push(watches[0]?.timeoutSeconds);
      }
      expect(ends).toEqual([300, 450, 599]);
    },
  );

  test('chooses a new timeout for each stream', async () => {
    const { listerWatcher, watches, signal } = listing();
    for (let i = 0; i < 5; i++) await listerWatcher.watch('10', signal);
    expect(new Set(watches.map(({ timeoutSeconds }) => timeoutSeconds)).size).toBeGreaterThan(1);
  });
});

describe('A streaming list', () => {
  test('requests the objects at the version or later, with bookmarks, a timeout and the signal', async () => {
    const { listerWatcher, watches, signal } = listing();
    await listerWatcher.watchList('10', signal);
    expect(watches).toEqual([
      {
        resourceVersion: '10',
        resourceVersionMatch: 'NotOlderThan',
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        timeoutSeconds: expect.any(Number),
        signal,
      },
    ]);
  });

  test('omits the version when it wants the newest', async () => {
    const { listerWatcher, watches, signal } = listing();
    await listerWatcher.watchList('', signal);
    expect(watches).toMatchObject([{ resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true }]);
    expect(watches[0]).not.toHaveProperty('resourceVersion');
  });

  test('sends the selection', async () => {
    const { listerWatcher, watches, signal } = listing(undefined, { selection });
    await listerWatcher.watchList('', signal);
    expect(watches).toMatchObject([selection]);
  });
});
