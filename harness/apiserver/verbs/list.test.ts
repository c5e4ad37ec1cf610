import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, List } from '../../api/objects.ts';
import { configMaps, pods } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { ListOptions } from '../../contracts/client.ts';
import { configMap, createAll, key, names, refusal, world } from './replicas.fixture.ts';

const text = (list: List<KubeObject>): string => `${names(list).join('')}@${list.metadata.resourceVersion}`;

/**
 * At revision 2 there is a, at 3 there is b, at 4 there is c; `server` stands at 3. Which of these are listed, and at
 * which revision, says what was read: the newest, the replica's, or an exact state.
 */
async function staleReplica() {
  const made = await world();
  await createAll(made, 'a', 'b');
  made.server.cache.hold();
  await createAll(made, 'c');
  return made;
}

describe('List: which state is read', () => {
  // https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list
  const table: readonly [options: ListOptions, read: string][] = [
    // Unset: the most recent.
    [{}, 'abc@4'],
    [{ limit: 9 }, 'abc@4'],
    [{ limit: 1 }, 'a@4'],
    // '0': any, and a cache gives all it has.
    [{ resourceVersion: '0' }, 'ab@3'],
    [{ resourceVersion: '0', limit: 1 }, 'ab@3'],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }, 'ab@3'],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 1 }, 'ab@3'],
    // Any other: not older than; with a limit, exact.
    [{ resourceVersion: '2' }, 'ab@3'],
    [{ resourceVersion: '3' }, 'ab@3'],
    [{ resourceVersion: '2', limit: 9 }, 'a@2'],
    [{ resourceVersion: '3', limit: 1 }, 'a@3'],
    [{ resourceVersion: '2', resourceVersionMatch: 'NotOlderThan' }, 'ab@3'],
    [{ resourceVersion: '2', resourceVersionMatch: 'NotOlderThan', limit: 9 }, 'abc@4'],
    [{ resourceVersion: '2', resourceVersionMatch: 'Exact' }, 'a@2'],
    [{ resourceVersion: '1', resourceVersionMatch: 'Exact' }, '@1'],
    [{ resourceVersion: '4', resourceVersionMatch: 'Exact' }, 'abc@4'],
    [{ resourceVersion: '3', resourceVersionMatch: 'Exact', limit: 1 }, 'a@3'],
  ];
  test.each(table)('%j gives %s', async (options, read) => {
    const { server } = await staleReplica();
    expect(text(await server.list(configMaps, options))).toBe(read);
  });

  test('is asked for by a table of seventeen', () => expect(table).toHaveLength(17));

  test.each([
    [
      { resourceVersionMatch: 'Exact' },
      'resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, '"exact" is forbidden for resourceVersion "0"'],
  ] as const)('%j is refused', async (options, why) => {
    const { server } = await staleReplica();
    const told = await refusal(server.list(configMaps, options));
    expect(told).toContain('422 Invalid: ');
    expect(told).toContain(why);
  });

  test('a replica that is behind waits for the revision that is asked for', async () => {
    const { sim, server } = await staleReplica();
    const listed = server.list(configMaps, { resourceVersion: '4' });
    sim.schedule(2_000, 'test', 'release', () => server.cache.release());
    expect(text(await sim.settle(listed))).toBe('abc@4');
    expect(sim.elapsedMs).toBe(2_000);
  });

  test('and gives up after three seconds', async () => {
    const { sim, server } = await staleReplica();
    expect(await refusal(sim.settle(server.list(configMaps, { resourceVersion: '4' })))).toBe(
      '504 Timeout: Timeout: Too large resource version: 4, current: 3',
    );
    expect(sim.elapsedMs).toBe(3_000);
  });

  test.each([{ resourceVersionMatch: 'Exact' }, { limit: 1 }] as const)(
    'a revision that nobody has reached cannot be read at once: %j',
    async (options) => {
      const { server } = await staleReplica();
      expect(await refusal(server.list(configMaps, { resourceVersion: '9', ...options }))).toBe(
        '504 Timeout: Timeout: Too large resource version: 9, current: 4',
      );
    },
  );

  test('a compacted revision is expired for who wants it exactly, and not for who wants nothing older', async () => {
    const { storage, server } = await staleReplica();
    storage.compact(4);
    const exact = { resourceVersion: '2', resourceVersionMatch: 'Exact' } as const;
    expect(await refusal(server.list(configMaps, exact))).toBe(
      '410 Expired: The resourceVersion for the provided list is too old.',
    );
    expect(text(await server.list(configMaps, { resourceVersion: '2' }))).toBe('ab@3');
  });
});

describe('Get: which state is read', () => {
  test('the newest without a resourceVersion, the replica’s with one', async () => {
    const { sim, server } = await staleReplica();
    expect((await server.get(configMaps, key('c'))).metadata.name).toBe('c');
    expect(await refusal(server.get(configMaps, key('c'), { resourceVersion: '0' }))).toMatch(
      /^404 NotFound/,
    );
    expect(await refusal(server.get(configMaps, key('c'), { resourceVersion: '3' }))).toMatch(
      /^404 NotFound/,
    );
    expect(await refusal(sim.settle(server.get(configMaps, key('c'), { resourceVersion: '4' })))).toMatch(
      /^504 Timeout/,
    );
  });

  test('an object that is gone is still there for a replica that is behind', async () => {
    const { server, other } = await staleReplica();
    await other.delete(configMaps, key('a'));
    expect(await refusal(server.get(configMaps, key('a')))).toMatch(/^404 NotFound/);
    expect((await server.get(configMaps, key('a'), { resourceVersion: '0' })).metadata.resourceVersion).toBe(
      '2',
    );
  });
});

describe('List: page by page', () => {
  test('Consistent: pages give the state of the first one, whatever is written meanwhile, of any size', async () => {
    const write = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      page: fc.nat({ max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
        fc.integer({ min: 1, max: 4 }),
        fc.array(write, { maxLength: 8 }),
        async (present, limit, writes) => {
          const made = await world();
          const { server, other, storage } = made;
          await createAll(made, ...present);
          const whole = await server.list(configMaps);
          const items: KubeObject[] = [];
          let token: string | undefined;
          for (let page = 0; page === 0 || token !== undefined; page++) {
            // Another replica goes on with it: nothing of it is kept in the first.
            const replica = page % 2 === 0 ? server : other;
            const list = await replica.list(configMaps, { limit, ...(token ? { continue: token } : {}) });
            expect(list.metadata.resourceVersion).toBe(whole.metadata.resourceVersion);
            items.push(...list.items);
            expect(list.metadata.remainingItemCount ?? 0).toBe(present.length - items.length);
            token = list.metadata.continue;
            for (const { name } of writes.filter((each) => each.page === page)) {
              if (storage.get(configMaps, key(name))) await server.delete(configMaps, key(name));
              else await server.create(configMaps, configMap(name));
            }
          }
          expect(items).toEqual(whole.items);
        },
      ),
    );
  });

  test('does not count what remains behind a selector', async () => {
    const made = await world();
    await createAll(made, 'a', 'b');
    const { metadata } = await made.server.list(configMaps, { limit: 1, labelSelector: '!x' });
    expect([typeof metadata.continue, metadata.remainingItemCount]).toEqual(['string', undefined]);
  });

  test('an expired token comes with another, which goes on inconsistently', async () => {
    const made = await world();
    const { server, storage } = made;
    await createAll(made, 'a', 'b', 'c');
    const { continue: token = '' } = (await server.list(configMaps, { limit: 1 })).metadata;
    await server.delete(configMaps, key('b'));
    await createAll(made, 'd');
    storage.compact(storage.revision);

    const error = await server.list(configMaps, { limit: 1, continue: token }).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(StatusError);
    const { status } = error as StatusError;
    expect([status.code, status.reason]).toEqual([410, 'Expired']);
    expect(status.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
    const rest = await server.list(configMaps, { limit: 1, continue: status.metadata?.continue ?? '' });
    expect(text(rest)).toBe(`c@${storage.revision}`);
    expect(text(await server.list(configMaps, { continue: rest.metadata.continue ?? '' }))).toBe(
      `d@${storage.revision}`,
    );
  });

  test('a token is for a list without a resourceVersion', async () => {
    const made = await world();
    const resourceVersion = await createAll(made, 'a', 'b');
    const { continue: token = '' } = (await made.server.list(configMaps, { limit: 1 })).metadata;
    expect(await refusal(made.server.list(configMaps, { continue: token, resourceVersion }))).toBe(
      '400 BadRequest: specifying resource version is not allowed when using continue',
    );
    expect(names(await made.server.list(configMaps, { continue: token, resourceVersion: '0' }))).toEqual([
      'b',
    ]);
  });

  test.each([
    ['nonsense', 'it cannot be decoded'],
    [Buffer.from('{"v":"v2"}').toString('base64url'), 'server does not recognize this encoded version v2'],
    [
      Buffer.from('{"v":"meta.k8s.io/v1","start":"a"}').toString('base64url'),
      'incorrect encoded start resourceVersion',
    ],
    [Buffer.from('{"v":"meta.k8s.io/v1","rv":5}').toString('base64url'), 'encoded start key empty'],
  ])('%s is no token', async (token, why) => {
    const { server } = await world();
    const told = await refusal(server.list(pods, { continue: token }));
    expect(told).toContain('400 BadRequest: ');
    expect(told).toContain(why);
  });
});
