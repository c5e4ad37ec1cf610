import { describe, expect, test } from 'vitest';
import { configMaps } from '../../api/resource.ts';
import { createCluster } from '../../cluster/cluster.ts';
import type { ProcessContext } from '../../cluster/process.ts';
import { Observations } from './observations.ts';
import { type Play, play, recordOf } from './play.ts';
import { RequestRecorder } from './recorder.ts';
import { perRevision, untilQuiet } from './settling.ts';
import { Stage } from './stage.ts';

type Put = { readonly put: string };

/** Plays a scenario of ConfigMaps with a component that runs `program`. */
async function played(
  program: (context: ProcessContext) => Promise<void>,
  scenario: Partial<Play<Put>> = {},
) {
  await using cluster = await createCluster({ latencyMs: 1 });
  const stage = new Stage(cluster);
  const recorder = new RequestRecorder(cluster.sim);
  const times = await play<Put>({
    cluster,
    before: [{ afterMs: 5, put: 'a' }],
    start: () =>
      cluster.run('reader', (context) => program({ ...context, client: recorder.client(context.client) })),
    steps: [
      // It crashes at its second request, and lists again five ms later.
      {
        afterMs: 0,
        strike: { fault: 'crash', process: 'reader', skip: 0, performed: true, restartAfterMs: 5 },
      },
      { afterMs: 10, put: 'b' },
      { afterMs: 20, put: 'c' },
    ],
    act: ({ put }) =>
      stage.act('user', 'create', `configmaps/${put}`, (user) =>
        user.create(configMaps, { metadata: { namespace: 'default', name: put } }),
      ),
    settle: () =>
      untilQuiet(cluster, { forMs: 100, withinMs: 1_000, isHeard: ({ actor }) => actor === 'user' }),
    ...scenario,
  });
  const told = new Observations({ process: 'reader', resources: ['configmaps'], latencyMs: 1 }).read(
    cluster.trace.entries,
  );
  return { ...recordOf(cluster), ...times, recorder, told };
}

/** Lists all ConfigMaps, then gets each. */
const reader = async ({ client, signal }: ProcessContext): Promise<void> => {
  const { items } = await client.list(configMaps);
  for (const { metadata } of items) await client.get(configMaps, metadata).catch(() => {});
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};

describe('A scenario', () => {
  test('runs in order: the preparation, the component, steps and faults', async () => {
    const { journal, healedMs, restedMs } = await played(reader);
    const puts = journal.filter(({ actor }) => actor === 'user').map(({ key, atMs }) => `${key} ${atMs}`);
    expect(puts).toEqual(['default/a 5', 'default/b 15', 'default/c 35']);
    expect(healedMs).toBe(35);
    expect(restedMs).toBe(35);
  });

  test("ends with the component's error", async () => {
    const fails = () => Promise.reject(new Error('no list'));
    await expect(played(fails)).rejects.toThrow('no list');
  });

  test('heals only after every hanging call has returned its error', async () => {
    const strike = { fault: 'time-out', process: 'reader', performed: false } as const;
    const { healedMs, recorder } = await played(reader, {
      steps: [
        { afterMs: 0, strike },
        { afterMs: 50, put: 'b' },
      ],
    });
    expect(recorder.requests.map(({ answeredMs }) => answeredMs)).toEqual([7, 60_009]);
    expect(healedMs).toBe(60_007);
  });

  test('ends early if the component writes without end', async () => {
    const writer = async ({ client, clock, signal }: ProcessContext): Promise<void> => {
      while (!signal.aborted) {
        await client.create(configMaps, { metadata: { namespace: 'default', generateName: 'w-' } });
        await clock.sleep(1, signal);
      }
    };
    const { journal, restedMs } = await played(writer, { writesMax: 5 });
    expect(journal).toHaveLength(6);
    expect(journal.map(({ key }) => key)).not.toContain('default/c');
    expect(restedMs).toBeUndefined();
  });

  test('may never settle', async () => {
    const { restedMs } = await played(reader, { settle: async () => undefined });
    expect(restedMs).toBeUndefined();
  });
});

describe('Requests', () => {
  test('are recorded over all incarnations of a component, with their answers', async () => {
    const { recorder } = await played(reader);
    const own = recorder.requests.map(({ incarnation, verb, name = 'all', answeredMs }) =>
      [incarnation, verb, name, answeredMs === undefined ? 'no answer' : 'answered'].join(' '),
    );
    expect(own).toEqual([
      '1 list all answered',
      '1 get a no answer',
      '2 list all answered',
      '2 get a answered',
    ]);
    expect(recorder.busy).toBe(false);
    const numbers = recorder.requests.flatMap(({ sentAs, answeredAs }) => [sentAs, answeredAs ?? -1]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('without a pause between them have a common start', async () => {
    const { recorder } = await played(reader);
    const [list, get] = recorder.requests;
    expect(recorder.sinceMs(get?.sentMs ?? 0)).toBe(recorder.sinceMs(list?.sentMs ?? 0));
  });

  test('after a pause may depend on a read before it, because workers overlap', async () => {
    const thinker = async ({ client, clock, signal }: ProcessContext): Promise<void> => {
      await client.list(configMaps);
      await clock.sleep(5, signal);
      await client.list(configMaps);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const { recorder } = await played(thinker);
    const [first, second] = recorder.requests;
    expect(second?.sentMs).toBeGreaterThan(first?.answeredMs ?? Number.POSITIVE_INFINITY);
    expect(recorder.sinceMs(second?.sentMs ?? 0)).toBeLessThanOrEqual(first?.sentMs ?? -1);
  });
});

describe('The observed revisions of a component', () => {
  test('restart with each incarnation, and grow', async () => {
    const { told, journal } = await played(reader);
    const revisionOf = (name: string) => journal.find(({ key }) => key === `default/${name}`)?.revision ?? -1;
    expect(told.at(5).configmaps).toBe(0);
    expect(told.at(10).configmaps).toBe(revisionOf('a'));
    const { bornMs } = told.now;
    expect(bornMs).toBeGreaterThan(5);
    expect(told.at(bornMs + 1).configmaps).toBe(0);
    expect(told.now.configmaps).toBe(revisionOf('a'));
    expect(told.everOf('configmaps')).toBe(true);
  });
});

describe('A component whose watch has ended', () => {
  /** Watches once, and then `again` times more, a second after each end. */
  const watcher =
    (again: number) =>
    async ({ client, clock, signal }: ProcessContext): Promise<void> => {
      for (let left = again; left >= 0 && !signal.aborted; left--) {
        for await (const _ of await client.watch(configMaps, { resourceVersion: '1' }));
        await clock.sleep(1_000, signal);
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
  const cut = { afterMs: 100, strike: { fault: 'cut-watches', process: 'reader' } } as const;

  test.each([
    ['is cut off until it watches again', watcher(0), [cut], true],
    ['is not cut off once it watches again', watcher(1), [cut, { afterMs: 2_000, put: 'b' }], false],
    ['is not cut off if it never watched', reader, [cut], false],
  ] as const)('%s', async (_, program, steps, isCutOff) => {
    const { told } = await played(program, { steps, settle: async () => undefined });
    expect(told.isCutOff).toBe(isCutOff);
  });
});

describe('Settling', () => {
  test('evaluates the condition again only after a write', async () => {
    await using cluster = await createCluster();
    let asked = 0;
    const isEven = perRevision(cluster, () => ++asked % 2 === 0);
    expect([isEven(), isEven()]).toEqual([false, false]);
    await cluster.admin.create(configMaps, { metadata: { namespace: 'default', name: 'a' } });
    expect([isEven(), isEven()]).toEqual([true, true]);
  });

  test('gives up if a component writes without end', async () => {
    await using cluster = await createCluster();
    cluster.run('writer', async ({ client, clock, signal }) => {
      while (!signal.aborted) {
        await client.create(configMaps, { metadata: { namespace: 'default', generateName: 'a-' } });
        await clock.sleep(10);
      }
    });
    const wait = { forMs: 100, withinMs: 5_000, isHeard: () => true };
    expect(await untilQuiet(cluster, wait)).toBeUndefined();
    expect(cluster.sim.elapsedMs).toBe(5_000);
    expect(
      await untilQuiet(cluster, { ...wait, writesMax: cluster.journal.entries.length + 3 }),
    ).toBeUndefined();
    expect(cluster.sim.elapsedMs).toBeLessThan(5_100);
  });
});
