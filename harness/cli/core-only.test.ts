import { afterAll, describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { listKatas } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { plain } from './colours.ts';
import { CoreWorkbook } from './core-workbook.fixture.ts';
import { exitCodeOf } from './failure.ts';
import { mine } from './mine.ts';
import { sayMissing } from './missing.ts';
import { Screen } from './screen.fixture.ts';
import { start } from './start-command.ts';

const { components: reference } = (await import('#components')) as { readonly components: Components };

const katas = listKatas(root).map(({ id }) => id);
const workbook = new CoreWorkbook(katas);
afterAll(() => workbook[Symbol.dispose]());

describe('A learner who has written the core of every kata, and no optional level (★)', () => {
  test('has the components of every kata in their cluster', async () => {
    const { components, yours, remarks } = await mine({ root: workbook.root, reference });
    const isOfKata = (part: string) =>
      components[part as keyof Components] !== reference[part as keyof Components];
    expect(yours).toEqual(Object.keys(components).filter(isOfKata));
    expect(remarks).toEqual([]);
  });

  test('sees pods become ready and answer, and reads which stand-ins are needed', async () => {
    const screen = new Screen();
    const where = { root: workbook.root, cwd: workbook.root, width: 400 };
    const options = { ...where, components: reference, terminal: screen, paint: plain };
    const code = await exitCodeOf(() => start(['--mine'], options), screen);
    expect({ code, err: screen.err }).toEqual({ code: 0, err: [] });
    expect(screen.out.join('\n')).toContain('All 3 pods are ready.');
    expect(screen.out).toContain('✓ delivered');
    expect(screen.out[1]).toMatch(
      /^Your components: apply, keyValueStore, access, admission, informer, .*\. Everything else is the reference implementation\.$/,
    );
    expect(screen.out.slice(2, 7).toSorted()).toEqual([
      'Level 10 ★ of 13-access is not written: a stand-in gives nodes every right.',
      'Level 11 ★ of 12-store is not written: a stand-in keeps the leases of your store.',
      'Level 11 ★ of 41-kubelet is not part of your kubelet: a stand-in registers its nodes. They refuse no pod and evict none.',
      'Level 8 ★ of 51-ipam is not written: a stand-in answers STATUS, and reports free addresses.',
      'PodSecurity and NodeRestriction of 14-admission ★ are not written: the apiserver runs without them.',
    ]);
  });

  test('reads which optional level is missing when a command needs it', () => {
    const thrown = new NotImplemented('24-deployment', 'rollback', 'Level 12');
    const written = 'is not written yet';
    expect(sayMissing(workbook.root, thrown)).toBe(
      `it needs Level 12 ★ · History and rollback: rollback ${written}`,
    );
    const core = new NotImplemented('24-deployment', 'syncDeployment', 'Level 9');
    expect(sayMissing(workbook.root, core)).toBe(`it calls syncDeployment, which ${written}`);
  });
});
