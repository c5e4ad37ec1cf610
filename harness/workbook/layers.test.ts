import { describe, expect, test } from 'vitest';
import { exportedAgain } from './declarations.ts';
import { cycles, entryPointViolations, folderOf, layered, layerViolations } from './layers.ts';
import { listSources } from './sources.ts';

const harness = listSources('harness', '.ts', '.tsx');
const others = [...listSources('katas', '.ts'), ...listSources('solutions', '.ts')];

describe('The harness', () => {
  test('is found', () => expect(harness.length).toBeGreaterThan(50));

  test('has a layer for each of its folders', () => {
    const folders = new Set(harness.map(({ file }) => folderOf(file)).filter((folder) => folder !== ''));
    expect([...folders].filter((folder) => !layered.includes(folder))).toEqual([]);
  });

  test('imports only lower layers, and never a kata', () => {
    expect(harness.flatMap(layerViolations)).toEqual([]);
  });

  test('has no import cycle', () => expect(cycles(harness)).toEqual([]));

  test('has no cycle of type imports below the laws', () => {
    const below = harness.filter(({ file }) => !['laws', 'vitest'].includes(folderOf(file)));
    expect(cycles(below, { types: true })).toEqual([]);
  });
});

describe('Katas and solutions', () => {
  test('import the harness by its entry points, and no other kata', () => {
    expect(others.length).toBeGreaterThan(0);
    expect(others.flatMap(entryPointViolations)).toEqual([]);
  });

  test('have no import cycle', () => expect(cycles(others)).toEqual([]));
});

describe('The entry points of katas', () => {
  const entryPoints = harness.filter(({ file }) => /^harness\/(given\/[^/]+\/)?index\.ts$/.test(file));
  const namesOf = (text: string): readonly string[] => exportedAgain(text).map(({ name }) => name);

  test('share at most 200 names', () => {
    const shared = entryPoints.find(({ file }) => file === 'harness/index.ts');
    expect(namesOf(shared?.text ?? '').length).toBeGreaterThan(100);
    expect(namesOf(shared?.text ?? '').length).toBeLessThanOrEqual(200);
  });

  test('export each name once', () => {
    const names = entryPoints.flatMap(({ text }) => namesOf(text));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});

describe('The rules', () => {
  const told = (file: string, text: string) => layerViolations({ file, text }).join('\n');

  test('reject an import of a higher layer', () => {
    expect(told('harness/sim/clock.ts', "import { a } from '../api/status.ts';")).toMatch('siblings');
    expect(told('harness/api/status.ts', "import { a } from '../client/client.ts';")).toMatch('down');
    expect(told('harness/client/client.ts', "import { a } from '../testing/judge.ts';")).toMatch('down');
  });

  test('reject imports between siblings, except of contracts', () => {
    expect(told('harness/faults/nemesis.ts', "import type { A } from '../client/client.ts';")).toMatch(
      'siblings',
    );
    expect(told('harness/faults/nemesis.ts', "import type { A } from '../contracts/cri.ts';")).toBe('');
    expect(told('harness/client/http-client.ts', "import { A } from '../apiserver/verbs.ts';")).toMatch(
      'siblings',
    );
  });

  test('reject a kata in the harness, in any notation', () => {
    expect(told('harness/cli/start.ts', "import { a } from '../../katas/21-informer/informer.ts';")).toMatch(
      'katas',
    );
    expect(told('harness/cli/start.ts', "import { a } from '#kata/21-informer/informer';")).toMatch('katas');
    expect(told('harness/cli/start.ts', "import { a } from '#components';")).toMatch('loaded when');
    expect(told('harness/cli/start.ts', "await import('#components');")).toBe('');
  });

  test('reject one platform in what all platforms run', () => {
    const turn = (name: string) => told('harness/sim/quiescence.ts', `import { a } from '${name}';`);
    expect(turn('../platform/browser/turn.ts')).toMatch('the platform decides');
    expect(turn('#platform/turn')).toBe('');
    expect(told('harness/platform/node/turn.ts', "import { a } from '../../sim/index.ts';")).toMatch(
      'siblings',
    );
  });

  test('reject Kubernetes in a mount', () => {
    expect(told('harness/mount/msw.ts', "import type { A } from '../api/status.ts';")).toMatch(
      'must not depend',
    );
  });

  test('reject one kata in another', () => {
    const of = (text: string) => entryPointViolations({ file: 'solutions/22-workqueue/workqueue.ts', text });
    expect(of("import { a } from '#kata/21-informer/informer';")).toHaveLength(1);
    expect(of("import { a } from '../21-informer/informer.ts';")).toHaveLength(1);
    expect(of("import fc from 'fast-check';")).toHaveLength(1);
    expect(of("import { a } from '#harness';")).toEqual([]);
    expect(of("import { a } from '#given/22-workqueue';")).toEqual([]);
    expect(of("import { a } from '#given/21-informer';")).toHaveLength(1);
  });

  test('accept a file for each level of examples and mistakes', () => {
    const of = (file: string, text: string) => entryPointViolations({ file, text });
    const level = "import './levels/1-cache.test.ts';";
    expect(of('katas/21-informer/informer.test.ts', level)).toEqual([]);
    const whole = "import './end-to-end/crashes.test.ts';";
    expect(of('katas/21-informer/informer.properties.test.ts', whole)).toEqual([]);
    expect(of('katas/21-informer/informer.ts', level)).toHaveLength(1);
    const shared = "import { a } from '#harness/testing';";
    expect(of('katas/21-informer/levels/server.fixture.ts', shared)).toEqual([]);
    expect(of('katas/21-informer/levels/server.ts', shared)).toHaveLength(1);
    const mistakes = "import { level1 } from './mistakes/level-1.ts';";
    expect(of('solutions/21-informer/mistakes.ts', mistakes)).toEqual([]);
    expect(of('solutions/21-informer/informer.ts', mistakes)).toHaveLength(1);
    const type = "import type { Mistake } from '#harness/testing';";
    expect(of('solutions/21-informer/mistakes/level-1.ts', type)).toEqual([]);
  });

  test('detect a cycle, but ignore cycles of types', () => {
    const a = { file: 'harness/a.ts', text: "import { b } from './b.ts';" };
    const b = { file: 'harness/b.ts', text: "import { a } from './a.ts';" };
    const typed = { file: 'harness/b.ts', text: "import type { a } from './a.ts';" };
    expect(cycles([a, b])).toEqual(['harness/a.ts → harness/b.ts → harness/a.ts']);
    expect(cycles([a, typed])).toEqual([]);
    expect(cycles([a, typed], { types: true })).toHaveLength(1);
  });
});
