import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiFaults, callFaults, crashes, nodeFaults } from '../../testing/arbitraries/faults.ts';
import type { Action, Recipe, TimedAction } from '../protocol/recipe.ts';
import { samples } from '../ui/act/samples.ts';
import { fragmentOf, recipeIn } from './address.ts';
import { eventful } from './recipe.fixture.ts';

const count = fc.nat({ max: 1_000 });
const texts = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('web-1'));
const faults = fc.oneof(
  apiFaults('replicaset-controller'),
  crashes('kubelet-node-1'),
  nodeFaults('node-1'),
  callFaults('kubelet-node-1'),
);
const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('kubectl' as const), line: texts }),
  fc.record({ do: fc.constant('kubectl' as const), line: texts, manifest: texts }),
  fc.record({ do: fc.constant('type' as const), into: count, line: texts }),
  fc.record({ do: fc.constant('type' as const), into: count }),
  fc.record({ do: fc.constant('interrupt' as const), command: count }),
  fc.record({ do: fc.constant('fault' as const), fault: faults }),
  fc.constant({ do: 'heal' as const }),
  fc.record({ do: fc.constant('kill' as const), process: texts, restartAfterMs: count }),
  fc.record({ do: fc.constant('power-on' as const), node: texts }),
  fc.record({ do: fc.constant('fill-disk' as const), node: texts, percent: fc.nat({ max: 100 }) }),
  fc.record({ do: fc.constant('request' as const), from: texts, url: texts }),
  fc.record({
    do: fc.constant('use' as const),
    part: fc.constantFrom('kubelet' as const, 'ipam' as const),
    version: fc.oneof(fc.constant('reference' as const), count),
  }),
);
const recipes: fc.Arbitrary<Recipe> = fc.record({
  seed: fc.nat(),
  nodes: fc.integer({ min: 1, max: 30 }),
  actions: fc
    .array(fc.tuple(count, actions))
    .map((all) =>
      all.sort(([a], [b]) => a - b).map(([atMs, action]) => ({ ...action, atMs }) as TimedAction),
    ),
});

/** Returns the fragment of any value in place of a recipe. */
const fragmentOfAnything = (actionList: unknown, head: object = {}): Promise<string> =>
  fragmentOf({ seed: 1, nodes: 3, ...head, actions: actionList } as Recipe);

describe('The address of a run', () => {
  test('has the whole recipe', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        expect(await recipeIn(`#${await fragmentOf(recipe)}`)).toEqual({ recipe });
      }),
    );
  });

  test('keeps each kind of action', async () => {
    expect(await recipeIn(await fragmentOf(eventful))).toEqual({ recipe: eventful });
  });

  test('needs no escapes', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        expect(await fragmentOf(recipe)).toMatch(/^run=1\.[\w-]+$/);
      }),
    );
  });

  test('has fewer than 1,000 characters for a manifest and ten actions', async () => {
    const fragment = await fragmentOf({ ...eventful, actions: eventful.actions.slice(0, 11) });
    expect(fragment.length).toBeLessThan(1_000);
  });

  test('of all samples together has fewer than 2,000 characters', async () => {
    const applied = samples.map(
      ({ text }, index): TimedAction => ({ atMs: index, do: 'kubectl', line: 'apply -f -', manifest: text }),
    );
    expect((await fragmentOf({ ...eventful, actions: applied })).length).toBeLessThan(2_000);
  });
});

describe('An address', () => {
  test.each(['', '#', '#failure=23', '#runs=1'])('%j has no run', async (fragment) => {
    expect(await recipeIn(fragment)).toBeUndefined();
  });

  test('with a changed character is damaged, or has the same run', async () => {
    const fragment = await fragmentOf(eventful);
    const { length } = fragment;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 'run=1.'.length, max: length - 1 }),
        fc.constantFrom(...'abcXYZ019-_'),
        async (at, letter) => {
          const content = await recipeIn(fragment.slice(0, at) + letter + fragment.slice(at + 1));
          if (content?.error === undefined) expect(content?.recipe).toEqual(eventful);
        },
      ),
    );
  });

  test('that was cut off is damaged', async () => {
    const fragment = await fragmentOf(eventful);
    for (const kept of [7, 100, fragment.length - 4]) {
      expect(await recipeIn(fragment.slice(0, kept))).toEqual({
        error:
          'Failed to read the run in this address: it is damaged, perhaps cut off. Copy it again, whole.',
      });
    }
  });

  test.each([
    ['#run=', 'it is damaged. Copy it again, whole.'],
    ['#run=hello', 'it is damaged. Copy it again, whole.'],
    ['#run=2.abc', 'its format has the version 2, and this page reads version 1.'],
  ])('%s is refused', async (fragment, why) => {
    expect(await recipeIn(fragment)).toEqual({ error: `Failed to read the run in this address: ${why}` });
  });

  test('that unpacks to more than two megabytes is refused', async () => {
    const bomb = [{ atMs: 0, do: 'kubectl', line: 'x'.repeat(3_000_000) }];
    expect(await recipeIn(await fragmentOfAnything(bomb))).toHaveProperty('error');
  });

  test.each([
    [{}, 'it has no list of actions'],
    [[{ do: 'heal' }], 'its action 1 has a field atMs that is no integer from 0 to 31536000000'],
    [[{ do: 'eval', atMs: 0 }], 'its action 1 does something else: "eval"'],
    [
      [
        { do: 'heal', atMs: 5 },
        { do: 'heal', atMs: 4 },
      ],
      'its action 2 is too early',
    ],
    [[{ do: 'heal', atMs: 0, and: 1 }], 'its action 1 has an unknown field "and"'],
    [
      [{ do: 'fill-disk', atMs: 0, node: 'node-1', percent: 101 }],
      'its action 1 has a field percent that is no integer from 0 to 100',
    ],
    [
      [{ do: 'fault', atMs: 0, fault: { fault: 'partition', node: 7, forMs: 1 } }],
      'its action 1 has a field fault that has a field node that is no text',
    ],
    [
      [{ do: 'use', atMs: 0, part: 'toString', version: 1 }],
      expect.stringMatching(/^its action 1 has a field part that is none of .*replicaSetController/),
    ],
  ])('with the actions %j is refused', async (actionList, why) => {
    const { error } = (await recipeIn(await fragmentOfAnything(actionList))) ?? {};
    const [, clause] = /^Failed to read the run in this address: (.*)\.$/.exec(error ?? '') ?? [];
    expect(clause).toEqual(why);
  });

  test.each([
    [{ nodes: 0 }, 'its number of nodes is no integer from 1 to 500'],
    [{ seed: 0.5 }, 'its seed is no integer from 0 to 9007199254740991'],
  ])('with the head %j is refused', async (head, why) => {
    expect(await recipeIn(await fragmentOfAnything([], head))).toEqual({
      error: `Failed to read the run in this address: ${why}.`,
    });
  });
});
