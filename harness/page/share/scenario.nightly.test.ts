import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { type Implementations, onlyReference } from '../run/parts.ts';
import { runRecipe } from '../run/run.ts';
import { eventful } from './recipe.fixture.ts';
import { scenarioOf } from './scenario.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Runs the one test of a text as if it stood beside the page. */
async function runScenario(text: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scenario-'));
  const page = path.resolve(import.meta.dirname, '..');
  const file = path.join(folder, 'scenario.ts');
  const module = text
    .replace("import { expect, test } from 'vitest';", "import { expect } from 'vitest';")
    .replaceAll(/from '(\.\.?\/[^']+)'/g, (_, file) => `from '${path.resolve(page, file)}'`)
    .replace(
      /^test\(/m,
      'const test = (_: string, run: () => Promise<void>) => run();\nexport const done = test(',
    );
  try {
    await writeFile(file, module);
    const { done } = await import(pathToFileURL(file).href);
    await done;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('A scenario is the same run as its recipe, with every kind of action', async () => {
  await using run = await runRecipe(eventful, onlyReference(components), 22_000);
  const text = await scenarioOf(run);
  expect(text).toContain(run.cluster.trace.hash());
  await runScenario(text);
});

test('A scenario that ends differently fails', async () => {
  await using run = await runRecipe({ seed: 1, nodes: 1, actions: [] }, onlyReference(components), 1_000);
  const text = (await scenarioOf(run)).replace(run.cluster.trace.hash(), '0123456789abcdef');
  await expect(runScenario(text)).rejects.toThrow('0123456789abcdef');
});

test('A scenario leaves out the actions after the present', async () => {
  const actions = [
    { atMs: 5, do: 'heal' },
    { atMs: 500, do: 'kubectl', line: 'get pods' },
  ] as const;
  await using run = await runRecipe({ seed: 1, nodes: 1, actions }, onlyReference(components), 100);
  const text = await scenarioOf(run);
  expect(text).toContain('heal');
  expect(text).not.toContain('kubectl');
});

test("A scenario with a learner's part imports the learner's file", async () => {
  const own: Implementations = { reference: components, own: (part) => components[part] };
  const actions = [{ atMs: 0, do: 'use', part: 'replicaSetController', version: 2 }] as const;
  await using run = await runRecipe({ seed: 1, nodes: 1, actions }, own, 10);
  const text = await scenarioOf(run);
  expect(text).toContain(
    "componentsIn('23-replicaset', await import('../../katas/23-replicaset/replicaset.ts')",
  );
  expect(text).toContain('Run.begin({ seed: 1, nodes: 1 }, implementations)');
});
