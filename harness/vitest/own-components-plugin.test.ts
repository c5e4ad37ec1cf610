import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CoreWorkbook } from '../cli/core-workbook.fixture.ts';
import type { Components } from '../contracts/component.ts';
import { takenFiles } from '../workbook/taken.ts';
import { moduleByKata, moduleOf } from './own-components-plugin.ts';

const { components: reference } = (await import('#components')) as { readonly components: Components };

const workbook = new CoreWorkbook(['21-informer', '51-ipam']);
afterAll(() => workbook[Symbol.dispose]());

/** Imports the module that replaces `#components`. */
async function loaded(): Promise<Components> {
  const file = path.join(workbook.root, 'own-components.ts');
  writeFileSync(file, moduleOf(workbook.root, takenFiles(workbook.root)));
  return ((await import(/* @vite-ignore */ file)) as { readonly components: Components }).components;
}

test("the learner's components replace the reference components in the tests of a later kata", async () => {
  const stub = path.join(workbook.root, 'katas/21-informer/informer.ts');
  const { createInformer } = (await import(/* @vite-ignore */ stub)) as {
    readonly createInformer: unknown;
  };
  const { informer, ipam, ...others } = await loaded();
  const { informer: _, ipam: referenceIpam, ...rest } = reference;
  expect(informer).toBe(createInformer);
  expect(ipam).not.toBe(referenceIpam);
  expect(others).toEqual(rest);
});

test('a kata without code gets the components of each kata, and names their owner', async () => {
  const file = path.join(workbook.root, 'own-components-by-kata.ts');
  const text = moduleByKata(workbook.root, takenFiles(workbook.root));
  // The module prints this sentence.
  writeFileSync(file, text.replace('console.log(', 'export const said = ('));
  const {
    own,
    reference: replaced,
    said,
  } = (await import(/* @vite-ignore */ file)) as {
    readonly own: ReadonlyMap<string, Partial<Components>>;
    readonly reference: Partial<Components>;
    readonly said: string;
  };
  expect([...own.keys()]).toEqual(['21-informer', '51-ipam']);
  expect(Object.keys(own.get('51-ipam') ?? {})).toEqual(['ipam']);
  expect(replaced).toBe(reference);
  expect(said).toBe('Your components: informer, ipam. Everything else is the reference implementation.');
});
